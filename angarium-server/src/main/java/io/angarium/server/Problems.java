package io.angarium.server;

import io.angarium.InvalidMessageException;
import io.angarium.half.Refusal;
import io.angarium.half.RefusedStepException;
import io.angarium.http.HalfJson;
import io.angarium.http.HalfProblem;
import io.angarium.http.InvalidCallsException;
import io.angarium.store.StoreException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** Answers what went wrong as {@code application/problem+json}, RFC 9457. Thread-safe. */
@RestControllerAdvice
final class Problems {
  private static final Duration SOON = Duration.ofSeconds(1);
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

  /** As RFC 6750 has it: without a code where nobody has shown anything. */
  private static Optional<String> challenge(int status, boolean shown) {
    return switch (status) {
      case 401 -> Optional.of(shown ? REALM + ", error=\"invalid_token\"" : REALM);
      case 403 -> shown ? Optional.of(REALM + ", error=\"insufficient_scope\"") : Optional.empty();
      default -> Optional.empty();
    };
  }

  /** Writes a problem, unless an answer has begun. */
  static void write(
      HttpServletRequest request, HttpServletResponse response, ProblemException problem)
      throws IOException {
    if (response.isCommitted()) {
      return;
    }
    response.setStatus(problem.status());
    challenge(problem.status(), Access.isBearer(request.getHeader("Authorization")))
        .ifPresent(value -> response.setHeader("WWW-Authenticate", value));
    response.setContentType("application/problem+json");
    Duration retryAfter = problem.retryAfter();
    if (retryAfter != null) {
      response.setHeader("Retry-After", String.valueOf(Math.max(1, retryAfter.toSeconds() + 1)));
    }
    byte[] body =
        HalfJson.problem(problem.status(), problem.code(), text(problem), problem.calls());
    response.setContentLength(body.length);
    response.getOutputStream().write(body);
    response.flushBuffer(); // or it is told after the rest of a body, which may come slowly
  }
}
