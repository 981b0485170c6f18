package io.angarium.server;

import io.angarium.http.HalfProblem;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Lets nobody in but whom {@link Access} knows. What anybody may see are the description and the
 * health. Thread-safe.
 */
final class AccessFilter extends OncePerRequestFilter {
  /** The attribute of a request with its {@link Caller}. */
  static final String CALLER = "io.angarium.server.caller";

  private static final Set<String> FOR_ALL =
      Set.of("/", "/index.html", "/openapi.json", "/actuator/health");

  private final Access access;

  AccessFilter(Access access) {
    this.access = access;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    if (request.getMethod().equals("GET") && FOR_ALL.contains(request.getRequestURI())) {
      chain.doFilter(request, response);
      return;
    }
    Optional<Caller> caller = access.caller(request.getHeader("Host"), request::getHeader);
    if (caller.isPresent()) {
      request.setAttribute(CALLER, caller.get());
      chain.doFilter(request, response);
    } else {
      refuse(response);
    }
  }

  private void refuse(HttpServletResponse response) throws IOException {
    if (access.wantsKey()) {
      response.setHeader("WWW-Authenticate", "Bearer");
      Problems.write(
          response, new ProblemException(401, HalfProblem.UNAUTHENTICATED, access.reason()));
    } else {
      Problems.write(
          response, new ProblemException(403, HalfProblem.NOT_PERMITTED, access.reason()));
    }
  }
}
