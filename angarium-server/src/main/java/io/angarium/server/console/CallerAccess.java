package io.angarium.server.console;

import io.angarium.console.access.Operator;
import io.angarium.console.access.RefusedRequestException;
import io.angarium.console.access.SecretAccess;
import io.angarium.server.access.Access;
import io.angarium.server.access.Caller;
import io.angarium.server.problem.ProblemException;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;

/** Lets into the console who may call the server: with the same keys, tokens and permissions. */
final class CallerAccess implements SecretAccess {
  private static final int UNAUTHENTICATED = 401;
  private static final int NOT_PERMITTED = 403;

  private final Access access;

  CallerAccess(Access access) {
    this.access = access;
  }

  @Override
  public String way() {
    return "key";
  }

  @Override
  public Optional<Operator> operator(HttpServletRequest request) {
    try {
      Caller caller = access.caller(request.getHeader("Host"), request::getHeader);
      caller.count(1);
      return Optional.of(caller.operator());
    } catch (ProblemException e) {
      if (e.status() == UNAUTHENTICATED || e.status() == NOT_PERMITTED) {
        return Optional.empty(); // there may be a cookie
      }
      throw refused(e);
    }
  }

  static RefusedRequestException refused(ProblemException e) {
    return new RefusedRequestException(
        e.status(), e.code(), String.valueOf(e.getMessage()), e.retryAfter());
  }

  @Override
  public Optional<Operator> ofSecret(HttpServletRequest request, String secret) {
    return access.callerOfKey(secret).map(Caller::operator);
  }

  @Override
  public Optional<Operator> named(String name) {
    return access.callerNamed(name).map(Caller::operator);
  }
}
