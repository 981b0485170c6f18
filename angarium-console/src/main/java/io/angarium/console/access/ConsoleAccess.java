package io.angarium.console.access;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;

/** A way into the console: says who makes a request. Thread-safe. */
public interface ConsoleAccess {
  /**
   * Says who makes a request. May block, e.g. to ask an issuer of tokens.
   *
   * @return empty if this way does not know them
   */
  Optional<Operator> operator(HttpServletRequest request);

  /** The name of this way on the page that asks strangers to sign in, e.g. {@code application}. */
  String way();
}
