package io.angarium.server.access;

import io.angarium.half.internal.remote.PrintableExcerpt;
import io.angarium.http.half.HalfProblem;
import io.angarium.server.problem.Fault;
import io.angarium.server.problem.ProblemException;
import io.angarium.server.problem.Problems;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.springframework.util.InvalidMimeTypeException;
import org.springframework.util.MimeType;
import org.springframework.util.MimeTypeUtils;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Lets nobody in but whom {@link Access} knows, and to the metrics only who may see them. What
 * anybody may see are the description and the health. Thread-safe.
 */
public final class AccessFilter extends OncePerRequestFilter {
  /** The attribute of a request with its {@link Caller}. */
  public static final String CALLER = "io.angarium.server.caller";

  private static final Set<String> PAGES =
      Set.of("/", "/index.html", "/about.json", "/openapi.json");

  /** Below the path of Spring Boot's Actuator. */
  private static final Set<String> HEALTH =
      Set.of("/health", "/health/liveness", "/health/readiness");

  private static final Pattern CHARSET = Pattern.compile("(?i);\\s*charset\\s*=[^;]*");

  private static final String CONSOLE = "/console";

  private static final Set<String> LOOKING = Set.of("GET", "HEAD");

  private final Access access;
  private final String measuring;

  /**
   * Creates it.
   *
   * @param measuring where the metrics are, and whatever else of Spring Boot's Actuator
   */
  public AccessFilter(Access access, String measuring) {
    this.access = access;
    this.measuring = measuring;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    boolean forAll = LOOKING.contains(request.getMethod()) && isForAll(written(request));
    Caller caller;
    try {
      if (forAll || isConsole(request)) {
        requireType(request);
        pass(request, response, chain);
        return;
      }
      caller = access.caller(request.getHeader("Host"), request::getHeader);
      if (isMeasuring(request)) {
        requireMeasuring(caller);
      }
      requireType(request);
    } catch (ProblemException e) {
      Problems.write(request, response, e);
      return;
    }
    request.setAttribute(CALLER, caller);
    pass(request, response, chain);
  }

  /** Spring Boot's Actuator refuses some of what it does not know without a word. */
  private void pass(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    chain.doFilter(request, response);
    boolean silent = response.getStatus() >= 400 && response.getContentType() == null;
    if (silent && isMeasuring(request) && !request.isAsyncStarted()) {
      Problems.write(request, response, Problems.ofStatus(response.getStatus()));
    }
  }

  /**
   * The console asks by itself who somebody is, as browsers show cookies. A path that others could
   * read in another way is not its own.
   */
  private static boolean isConsole(HttpServletRequest request) {
    String written = written(request);
    String below = request.getPathInfo();
    String read = below == null ? request.getServletPath() : below;
    return written.equals(read)
        && !written.contains("//")
        && (written.equals(CONSOLE) || written.startsWith(CONSOLE + "/"));
  }

  private boolean isForAll(String path) {
    return PAGES.contains(path)
        || (path.startsWith(measuring) && HEALTH.contains(path.substring(measuring.length())));
  }

  /** What is none would fail somewhere in the framework, and again where that is answered. */
  private static void requireType(HttpServletRequest request) {
    String type = request.getContentType();
    if (type != null && !isType(type)) {
      throw new ProblemException(
          415,
          HalfProblem.UNSUPPORTED_MEDIA_TYPE,
          "Content-Type: '%s' (expected: one type, e.g. application/json)"
              .formatted(PrintableExcerpt.of(type)));
    }
  }

  /** Any charset will do, as payloads are bytes. */
  private static boolean isType(String text) {
    try {
      MimeType type = MimeTypeUtils.parseMimeType(CHARSET.matcher(text).replaceAll(""));
      return !type.isWildcardType() && !type.isWildcardSubtype();
    } catch (InvalidMimeTypeException e) {
      return false;
    }
  }

  /** By the path as it is decoded and looked up, not as it was written. */
  private boolean isMeasuring(HttpServletRequest request) {
    String below = request.getPathInfo();
    String path = below == null ? request.getServletPath() : below;
    return path.equals(measuring) || path.startsWith(measuring + "/");
  }

  /** The path as it was written, below that of the server and of Spring MVC. */
  private static String written(HttpServletRequest request) {
    String mvc = request.getPathInfo() == null ? "" : request.getServletPath();
    String base = request.getContextPath() + mvc;
    String path = request.getRequestURI();
    return path.startsWith(base) ? path.substring(base.length()) : path;
  }

  private static void requireMeasuring(Caller caller) {
    Optional<Fault> fault = caller.faultOfMeasuring();
    if (fault.isPresent()) {
      throw fault.get().exception();
    }
  }
}
