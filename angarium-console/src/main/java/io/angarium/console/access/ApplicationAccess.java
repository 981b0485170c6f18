package io.angarium.console.access;

import io.angarium.internal.UnicodeText;
import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import java.util.Optional;
import java.util.Set;

/**
 * Lets in who the application's own security has authenticated and given one of three roles: by
 * {@code getUserPrincipal} and {@code isUserInRole}. Thread-safe.
 */
public final class ApplicationAccess implements ConsoleAccess {
  private static final int NAME_LENGTH_MAX = 128;

  private final String viewer;
  private final String operator;
  private final String admin;

  /**
   * Creates it with the names of the roles as the application has them.
   *
   * @param viewer role of those who watch
   * @param operator role of those who act
   * @param admin role of those who may do everything
   */
  public ApplicationAccess(String viewer, String operator, String admin) {
    this.viewer = viewer;
    this.operator = operator;
    this.admin = admin;
  }

  @Override
  public String way() {
    return "application";
  }

  @Override
  public Optional<Operator> operator(HttpServletRequest request) {
    Principal principal = request.getUserPrincipal();
    if (principal == null || principal.getName() == null || principal.getName().isBlank()) {
      return Optional.empty();
    }
    String name = principal.getName();
    String cut = UnicodeText.cut(name, NAME_LENGTH_MAX);
    return rights(request).map(rights -> Operator.ofAll(cut, rights));
  }

  private Optional<Set<Right>> rights(HttpServletRequest request) {
    if (request.isUserInRole(admin)) {
      return Optional.of(Right.ALL);
    }
    if (request.isUserInRole(operator)) {
      return Optional.of(Right.OPERATOR);
    }
    return request.isUserInRole(viewer) ? Optional.of(Right.VIEWER) : Optional.empty();
  }
}
