package io.angarium.console.access;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;

/**
 * A way into the console by a secret that is shown once and then replaced by a cookie. Thread-safe.
 */
public interface SecretAccess extends ConsoleAccess {
  /**
   * Exchanges a secret for an operator.
   *
   * @param request from where it was shown
   * @return empty if it is none, or no longer
   */
  Optional<Operator> ofSecret(HttpServletRequest request, String secret);

  /**
   * The rights of an operator as they are now. Called for each request with a cookie.
   *
   * @param name of an operator that {@link #ofSecret} gave earlier
   * @return empty if the configuration has no such name any more
   */
  Optional<Operator> named(String name);
}
