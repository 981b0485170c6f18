package io.angarium.quickstart.demo;

import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** Answers requests that cannot be carried out with the reason. */
@RestControllerAdvice
class BadRequests {
  @ExceptionHandler
  ProblemDetail wrongValue(IllegalArgumentException e) {
    return ProblemDetail.forStatusAndDetail(HttpStatus.BAD_REQUEST, e.getMessage());
  }

  @ExceptionHandler
  ProblemDetail unreadable(HttpMessageNotReadableException e) {
    return ProblemDetail.forStatusAndDetail(
        HttpStatus.BAD_REQUEST, e.getMostSpecificCause().getMessage());
  }
}
