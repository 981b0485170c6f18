package io.angarium.server.problem;

import io.angarium.InvalidMessageException;
import io.angarium.StoreException;
import io.angarium.half.Refusal;
import io.angarium.half.RefusedStepException;
import io.angarium.http.half.HalfJson;
import io.angarium.http.half.HalfProblem;
import io.angarium.http.half.InvalidCallsException;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.TypeMismatchException;
import org.springframework.http.converter.HttpMessageConversionException;
import org.springframework.http.converter.HttpMessageNotWritableException;
import org.springframework.web.ErrorResponse;
import org.springframework.web.ErrorResponseException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** Answers what went wrong as {@code application/problem+json}, RFC 9457. Thread-safe. */
@RestControllerAdvice
public final class Problems {
  /** The media type of all of them. */
  static final String TYPE = "application/problem+json";

  private static final Logger LOG = LoggerFactory.getLogger(Problems.class);
  private static final Duration SOON = Duration.ofSeconds(1);
  private static final String BEARER = "bearer ";
  private static final String REALM = "Bearer realm=\"angarium\"";

  @ExceptionHandler
  void problem(ProblemException e, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    write(request, response, e);
  }

  @ExceptionHandler
  void invalid(InvalidMessageException e, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    write(request, response, new ProblemException(422, HalfProblem.INVALID, text(e)));
  }

  @ExceptionHandler
  void invalid(InvalidCallsException e, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    List<Integer> calls = new ArrayList<>(e.faults().keySet());
    int status = calls.isEmpty() ? 400 : 422;
    write(request, response, new ProblemException(status, HalfProblem.INVALID, text(e), calls));
  }

  @ExceptionHandler
  void refused(RefusedStepException e, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    int status = e.refusal() == Refusal.UNKNOWN ? 404 : 409;
    write(request, response, new ProblemException(status, e.refusal().name(), text(e)));
  }

  /** The reason is the operator's; the caller need not know about the database. */
  @ExceptionHandler
  void store(StoreException e, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    if (isAway(e)) {
      write(
          request, response, unknown(HalfProblem.DATABASE_AWAY, "the database cannot be reached"));
    } else {
      write(request, response, unknown(HalfProblem.STORE_FAILED, "the database refused"));
    }
  }

  /** What the framework refuses: an address, a method or a type that is none of ours. */
  @ExceptionHandler({
    ServletException.class,
    ErrorResponseException.class,
    TypeMismatchException.class,
    HttpMessageConversionException.class
  })
  void refused(Exception e, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    if (e instanceof ErrorResponse refused) {
      refused
          .getHeaders()
          .forEach((name, values) -> values.forEach(value -> response.addHeader(name, value)));
      write(request, response, ofStatus(refused.getStatusCode().value()));
    } else {
      boolean ours = e instanceof ServletException || e instanceof HttpMessageNotWritableException;
      if (ours) {
        LOG.error("A request over HTTP failed in a way nobody expected", e);
      }
      write(request, response, ofStatus(ours ? 500 : 400));
    }
  }

  /** Parameters of an address that cannot be decoded, or are too many. */
  @ExceptionHandler
  void refused(
      InvalidParameterException e, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    write(request, response, ofStatus(400));
  }

  /** What is said where only the status is known. */
  public static ProblemException ofStatus(int status) {
    return switch (status) {
      case 404 ->
          new ProblemException(
              404, HalfProblem.NOT_FOUND, "nothing is at this address; /openapi.json has what is");
      case 405 ->
          new ProblemException(
              405,
              HalfProblem.METHOD_NOT_ALLOWED,
              "this address has other methods; the header Allow names them");
      case 406 ->
          new ProblemException(
              406,
              HalfProblem.NOT_ACCEPTABLE,
              "the answer is application/json, and Accept does not take it");
      case 408 ->
          new ProblemException(408, HalfProblem.TOO_SLOW, "the request was not there in time");
      case 413, 431 ->
          new ProblemException(
              status, HalfProblem.TOO_LARGE, "the request or its headers are too large");
      case 415 ->
          new ProblemException(
              415,
              HalfProblem.UNSUPPORTED_MEDIA_TYPE,
              "the body is not taken in this type (expected: application/json but for payloads)");
      case 501, 505 ->
          new ProblemException(
              status,
              HalfProblem.INVALID,
              "the server has no such method, transfer coding or version of HTTP; nothing took effect");
      default ->
          status < 500
              ? new ProblemException(
                  status,
                  HalfProblem.INVALID,
                  "the request is not well-formed HTTP, or its address"
                      + " or a parameter is not; nothing took effect")
              : new ProblemException(
                  status,
                  HalfProblem.FAILED,
                  "failed; the log of the server says why. Whether it took effect is unknown:"
                      + " repeat the call");
    };
  }

  private static ProblemException unknown(String code, String what) {
    return new ProblemException(
        503, code, what + "; whether it took effect is unknown: repeat the call", SOON);
  }

  private static boolean isAway(Throwable e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLTransientConnectionException) {
        return true;
      }
      if (cause instanceof SQLException sql
          && sql.getSQLState() != null
          && sql.getSQLState().startsWith("08")) {
        return true;
      }
    }
    return false;
  }

  private static String text(Throwable e) {
    return String.valueOf(e.getMessage());
  }

  /** Whether the value of {@code Authorization} shows a key or a token. */
  public static boolean isBearer(@Nullable String header) {
    return header != null && header.toLowerCase(Locale.ROOT).startsWith(BEARER);
  }

  /**
   * Returns the challenge as RFC 6750 defines it. It has no error code if the caller has shown no
   * key and no token.
   */
  private static Optional<String> challenge(int status, boolean shown) {
    return switch (status) {
      case 401 -> Optional.of(shown ? REALM + ", error=\"invalid_token\"" : REALM);
      case 403 -> shown ? Optional.of(REALM + ", error=\"insufficient_scope\"") : Optional.empty();
      default -> Optional.empty();
    };
  }

  /** Rounded up, and at least one. */
  private static long wholeSeconds(Duration time) {
    return Math.max(1, time.plusSeconds(1).minusNanos(1).toSeconds());
  }

  /** Writes a problem, unless an answer has begun. */
  public static void write(
      HttpServletRequest request, HttpServletResponse response, ProblemException problem)
      throws IOException {
    if (response.isCommitted()) {
      return;
    }
    response.setStatus(problem.status());
    challenge(problem.status(), isBearer(request.getHeader("Authorization")))
        .ifPresent(value -> response.setHeader("WWW-Authenticate", value));
    response.setContentType(TYPE);
    Duration retryAfter = problem.retryAfter();
    if (retryAfter != null) {
      response.setHeader("Retry-After", String.valueOf(wholeSeconds(retryAfter)));
    }
    byte[] body =
        HalfJson.problem(problem.status(), problem.code(), text(problem), problem.calls());
    response.setContentLength(body.length);
    response.getOutputStream().write(body);
    response.flushBuffer(); // or it is told after the rest of a body, which may come slowly
  }
}
