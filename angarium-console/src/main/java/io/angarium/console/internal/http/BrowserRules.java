package io.angarium.console.internal.http;

import io.angarium.console.internal.problem.Problem;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.net.URI;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What browsers are told, and what a request must show that acts. Thread-safe. */
public final class BrowserRules {
  /** The header that acts have, which a page from elsewhere cannot send. */
  public static final String OWN_HEADER = "Angarium-Console";

  private static final String CONTENT_SECURITY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src"
          + " 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none';"
          + " require-trusted-types-for 'script'; trusted-types 'none'";

  private BrowserRules() {}

  /** Sets the headers of every answer. */
  public static void apply(HttpServletResponse response) {
    response.setHeader("Content-Security-Policy", CONTENT_SECURITY);
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.setHeader("Referrer-Policy", "no-referrer");
    response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
    response.setHeader("Cross-Origin-Resource-Policy", "same-origin");
    response.setHeader("Permissions-Policy", "camera=(), geolocation=(), microphone=()");
    response.setHeader("X-Frame-Options", "DENY");
  }

  /**
   * Refuses an act that a page from elsewhere could have sent.
   *
   * @throws Problem if so
   */
  public static void requireOwn(HttpServletRequest request) {
    if (!"1".equals(request.getHeader(OWN_HEADER))) {
      throw Problem.notPermitted("acts need the header '" + OWN_HEADER + ": 1'");
    }
    String site = request.getHeader("Sec-Fetch-Site");
    if (site != null && !site.equals("same-origin") && !site.equals("none")) {
      throw Problem.notPermitted("acts are for the console's own page (expected: same-origin)");
    }
    String origin = request.getHeader("Origin");
    if (origin != null && !isOwn(origin, request)) {
      throw Problem.notPermitted("acts are for the console's own page (expected: its origin)");
    }
  }

  /** A proxy may have changed the scheme, but must hand on the host or its own name for it. */
  private static boolean isOwn(String origin, HttpServletRequest request) {
    String authority = authority(origin);
    return authority != null
        && (authority.equalsIgnoreCase(request.getHeader("Host"))
            || authority.equalsIgnoreCase(request.getHeader("X-Forwarded-Host")));
  }

  private static @Nullable String authority(String origin) {
    try {
      URI uri = URI.create(origin.toLowerCase(Locale.ROOT));
      return uri.getRawAuthority();
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
