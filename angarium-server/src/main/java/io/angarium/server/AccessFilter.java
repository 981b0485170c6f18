package io.angarium.server;

import io.angarium.TimeSource;
import io.angarium.http.HalfProblem;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Lets nobody in but who has an API key; where none are configured, nobody but programs of this
 * machine, and no page of a browser: it could be made to call by a page from elsewhere. What
 * anybody may see are the description and the health. Thread-safe.
 */
final class AccessFilter extends OncePerRequestFilter {
  /** The attribute of a request with its {@link Caller}. */
  static final String CALLER = "io.angarium.server.caller";

  private static final Set<String> FOR_ALL =
      Set.of("/", "/index.html", "/openapi.json", "/actuator/health");

  private static final Set<String> LOCAL_NAMES = Set.of("localhost", "127.0.0.1", "[::1]");

  /** What a proxy adds: behind one, anybody would be a program of this machine. */
  private static final Set<String> FORWARDED =
      Set.of("Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP");

  private static final String BEARER = "bearer ";

  private final ApiKeys keys;
  private final Caller local;

  AccessFilter(ApiKeys keys, TimeSource time) {
    this.keys = keys;
    this.local = Caller.local(time);
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    if (request.getMethod().equals("GET") && FOR_ALL.contains(request.getRequestURI())) {
      chain.doFilter(request, response);
      return;
    }
    Optional<Caller> caller = keys.any() ? withKey(request) : onThisMachine(request);
    if (caller.isPresent()) {
      request.setAttribute(CALLER, caller.get());
      chain.doFilter(request, response);
    } else if (keys.any()) {
      response.setHeader("WWW-Authenticate", "Bearer");
      Problems.write(
          response,
          new ProblemException(
              401,
              HalfProblem.UNAUTHENTICATED,
              "no API key that is known here; send 'Authorization: Bearer' and the key, whose hash"
                  + " is to be among "
                  + ServerProperties.PREFIX
                  + ".api-keys"));
    } else {
      Problems.write(
          response,
          new ProblemException(
              403,
              HalfProblem.NOT_PERMITTED,
              "without API keys only programs of this machine are served, by the name localhost or"
                  + " 127.0.0.1, and no pages of browsers and no proxies"));
    }
  }

  private Optional<Caller> withKey(HttpServletRequest request) {
    String given = request.getHeader("Authorization");
    return given != null && given.toLowerCase(Locale.ROOT).startsWith(BEARER)
        ? keys.callerOf(given.substring(BEARER.length()).strip())
        : Optional.empty();
  }

  private Optional<Caller> onThisMachine(HttpServletRequest request) {
    String host = String.valueOf(request.getHeader("Host")).replaceFirst(":\\d+$", "");
    boolean local =
        LOCAL_NAMES.contains(host.toLowerCase(Locale.ROOT))
            && FORWARDED.stream().allMatch(name -> request.getHeader(name) == null)
            && request.getHeader("Origin") == null
            && request.getHeader("Sec-Fetch-Site") == null;
    return local ? Optional.of(this.local) : Optional.empty();
  }
}
