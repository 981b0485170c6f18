package io.angarium.console;

import io.angarium.StoreException;
import io.angarium.TimeSource;
import io.angarium.console.access.ConsoleAccess;
import io.angarium.console.access.Operator;
import io.angarium.console.access.RefusedRequestException;
import io.angarium.console.access.Right;
import io.angarium.console.access.SecretAccess;
import io.angarium.console.internal.access.Permits;
import io.angarium.console.internal.access.SessionCookies;
import io.angarium.console.internal.access.SignInRate;
import io.angarium.console.internal.calls.AlertCalls;
import io.angarium.console.internal.calls.AuditCalls;
import io.angarium.console.internal.calls.BulkCalls;
import io.angarium.console.internal.calls.ConfirmationCalls;
import io.angarium.console.internal.calls.CorrectCalls;
import io.angarium.console.internal.calls.ExportCalls;
import io.angarium.console.internal.calls.HalfCalls;
import io.angarium.console.internal.calls.MessageCalls;
import io.angarium.console.internal.calls.OperationCalls;
import io.angarium.console.internal.calls.PauseCalls;
import io.angarium.console.internal.calls.PayloadCalls;
import io.angarium.console.internal.calls.PulseCalls;
import io.angarium.console.internal.calls.RelayCalls;
import io.angarium.console.internal.calls.ReportCalls;
import io.angarium.console.internal.calls.SeriesCalls;
import io.angarium.console.internal.calls.SessionCalls;
import io.angarium.console.internal.http.Answer;
import io.angarium.console.internal.http.AnswerWriter;
import io.angarium.console.internal.http.ApiDescription;
import io.angarium.console.internal.http.ApiRoute;
import io.angarium.console.internal.http.BrowserRules;
import io.angarium.console.internal.http.Call;
import io.angarium.console.internal.http.PageAssets;
import io.angarium.console.internal.http.RouteTable;
import io.angarium.console.internal.payload.Masking;
import io.angarium.console.internal.problem.Problem;
import io.angarium.console.settings.ConsoleDatabase;
import io.angarium.console.settings.ConsoleSettings;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The operator console of some databases: answers the requests for its page and its API, at
 * whatever path the caller serves it. Refuses requests that no way in accepts. Thread-safe.
 */
public final class OperatorConsole {
  private static final Logger LOG = LoggerFactory.getLogger(OperatorConsole.class);

  private static final Duration AWAY_PAUSE = Duration.ofSeconds(5);
  private static final String API = "api/v1/";
  private static final String ASSETS = "assets/";

  private final ConsoleSettings settings;
  private final List<ConsoleDatabase> databases;
  private final List<ConsoleAccess> ways;
  private final SessionCookies sessions;
  private final SignInRate signInRate;
  private final Permits permits = new Permits();
  private final RouteTable routes;
  private final PageAssets page;
  private final AnswerWriter answers;

  /** What somebody shows to sign in. Immutable. */
  record SignInRequest(@Nullable String key) {}

  /** How to sign in. Immutable. */
  record SignInWays(List<String> ways) {}

  /**
   * Creates a console.
   *
   * @param databases at least one, each with another name
   * @param ways at least one; the first that knows somebody is taken
   * @throws IllegalArgumentException if there is no database or no way, or a name is there twice
   */
  public OperatorConsole(
      ConsoleSettings settings,
      List<ConsoleDatabase> databases,
      List<ConsoleAccess> ways,
      TimeSource time) {
    if (databases.isEmpty() || ways.isEmpty()) {
      throw new IllegalArgumentException(
          "console: %d databases and %d ways in (expected: at least one of each)"
              .formatted(databases.size(), ways.size()));
    }
    requireDistinct(databases);
    this.settings = settings;
    this.databases = List.copyOf(databases);
    this.ways = List.copyOf(ways);
    this.sessions = new SessionCookies(settings.cookieSecret(), time);
    this.signInRate = new SignInRate(time);
    this.page = new PageAssets(settings.version());
    this.answers = new AnswerWriter(settings.version());
    Masking masking = new Masking(settings.masked());
    MessageCalls messages = new MessageCalls(permits, masking);
    this.routes =
        new RouteTable(
            Stream.of(
                    new SessionCalls(settings, databases).routes(),
                    new PulseCalls(permits, time).routes(),
                    messages.routes(),
                    new CorrectCalls(permits, messages, settings.correct()).routes(),
                    new PayloadCalls(permits, masking, messages).routes(),
                    new BulkCalls(permits).routes(),
                    new ExportCalls(permits, masking, time).routes(),
                    new OperationCalls(permits).routes(),
                    new RelayCalls(permits).routes(),
                    new SeriesCalls(permits).routes(),
                    new AuditCalls(permits, messages).routes(),
                    new HalfCalls(permits).routes(),
                    new AlertCalls(permits).routes(),
                    new PauseCalls(permits).routes(),
                    new ConfirmationCalls(permits).routes(),
                    new ReportCalls(permits).routes(),
                    ownRoutes())
                .flatMap(List::stream)
                .toList());
  }

  private static void requireDistinct(List<ConsoleDatabase> databases) {
    long names = databases.stream().map(ConsoleDatabase::name).distinct().count();
    if (names < databases.size()) {
      throw new IllegalArgumentException("console: two databases of one name (expected: none)");
    }
  }

  /** The calls that this class answers, most of them for strangers. */
  private List<ApiRoute> ownRoutes() {
    return List.of(
        ApiRoute.get(
            "sign-in", null, "Lists the ways in", SignInWays.class, List.of(), call -> waysIn()),
        ApiRoute.get(
            "openapi.json", null, "Describes these calls", null, List.of(), call -> described()),
        new ApiRoute(
            "POST",
            "sign-in",
            null,
            true,
            "Exchanges a key for a cookie",
            SignInRequest.class,
            null,
            List.of(),
            call -> Answer.nothing()),
        new ApiRoute(
            "POST",
            "sign-out",
            null,
            true,
            "Ends the session of a cookie",
            null,
            null,
            List.of(),
            call -> Answer.nothing()));
  }

  /**
   * The largest body, in bytes, that a request for a path may have: more than 64 KiB only for a
   * correction, which may have a payload.
   *
   * @param path as {@link #handle} gets it
   */
  public static int bodyBytesMax(String path) {
    return path.endsWith(CorrectCalls.PATH_END) ? CorrectCalls.BODY_BYTES_MAX : Call.BODY_BYTES_MAX;
  }

  /** All calls of the API. */
  List<ApiRoute> routes() {
    return routes.routes();
  }

  /**
   * Answers a request. Blocks while the database is asked.
   *
   * @param path below the console's own path, decoded, without a slash at its begin; empty for the
   *     page
   */
  public void handle(HttpServletRequest request, HttpServletResponse response, String path)
      throws IOException {
    BrowserRules.apply(response);
    try {
      if (path.startsWith(API)) {
        api(request, response, path.substring(API.length()));
      } else {
        page(request, response, path);
      }
    } catch (Problem e) {
      answers.problem(response, e);
    } catch (RefusedRequestException e) {
      answers.problem(response, Problem.of(e));
    } catch (StoreException e) {
      LOG.debug("The database did not answer the console", e);
      answers.problem(
          response, Problem.databaseAway("the database did not answer, or refused", AWAY_PAUSE));
    } catch (RuntimeException e) {
      String id = HexFormat.of().toHexDigits(System.identityHashCode(e));
      LOG.error("The console failed, {}", id, e);
      answers.problem(response, Problem.failed(id));
    }
  }

  private void page(HttpServletRequest request, HttpServletResponse response, String path)
      throws IOException {
    boolean reads = request.getMethod().equals("GET") || request.getMethod().equals("HEAD");
    if (!reads) {
      throw Problem.wrongMethod("GET");
    }
    if (path.startsWith(ASSETS)) {
      String prefix = ASSETS + settings.version() + "/";
      PageAssets.Asset file =
          (path.startsWith(prefix)
                  ? page.file(path.substring(prefix.length()))
                  : Optional.<PageAssets.Asset>empty())
              .orElseThrow(() -> Problem.unknown("no such file of this version; reload the page"));
      answers.file(request, response, file, true);
      return;
    }
    if (!path.isEmpty()) {
      throw Problem.unknown("the console has no such page");
    }
    String ticket = request.getParameter("ticket");
    if (ticket != null) {
      redeem(request, response, ticket);
      return;
    }
    answers.file(request, response, page.index(), false);
  }

  /**
   * Exchanges the ticket of a printed link for a cookie, and takes it out of the address. A ticket
   * that was used before leads to the page as well, which says how to sign in.
   */
  private void redeem(HttpServletRequest request, HttpServletResponse response, String ticket)
      throws IOException {
    signInRate.count(request.getRemoteAddr());
    if (!signsIn(request, response, ticket)) {
      LOG.debug("The ticket of a link was used before, or has ended");
    }
    response.setStatus(303);
    response.setHeader("Location", "./");
    response.setHeader("Cache-Control", "no-store");
  }

  private void api(HttpServletRequest request, HttpServletResponse response, String path)
      throws IOException {
    RouteTable.Match match = routes.match(request.getMethod(), path);
    if (match.route().acts()) {
      BrowserRules.requireOwn(request);
    }
    if (match.route().right() == null) {
      answers.write(response, stranger(request, response, path));
      return;
    }
    Operator operator = operator(request, response);
    permits.begin(operator.name());
    try {
      Call call =
          new Call(request, match.variables(), operator, database(match.variables().get("db")));
      call.require(Right.VIEW);
      call.require(match.route().right());
      answers.write(response, match.route().handler().answer(call));
    } finally {
      permits.end(operator.name());
    }
  }

  private Answer described() {
    return new Answer(
        200,
        ApiDescription.of(routes.routes(), settings.version()),
        Map.of("Content-Type", "application/json"));
  }

  private Answer waysIn() {
    return Answer.of(new SignInWays(ways.stream().map(ConsoleAccess::way).toList()));
  }

  /** Answers the calls that need no sign-in. */
  private Answer stranger(HttpServletRequest request, HttpServletResponse response, String path) {
    if (request.getMethod().equals("GET")) {
      return path.equals("sign-in") ? waysIn() : described();
    }
    if (path.equals("sign-out")) {
      sessions.end(request, response);
      return Answer.nothing();
    }
    signInRate.count(request.getRemoteAddr());
    Call call = new Call(request, Map.of(), Operator.ofAll("nobody", Set.of()), null);
    String key = call.body(SignInRequest.class).key();
    if (!signsIn(request, response, key == null ? "" : key)) {
      throw Problem.wrongSecret();
    }
    return Answer.nothing();
  }

  private boolean signsIn(HttpServletRequest request, HttpServletResponse response, String secret) {
    for (ConsoleAccess way : ways) {
      if (way instanceof SecretAccess secrets) {
        Optional<Operator> operator = secrets.ofSecret(request, secret);
        if (operator.isPresent()) {
          sessions.begin(request, response, way.way(), operator.get().name());
          LOG.info("'{}' signed in to the console", operator.get().name());
          return true;
        }
      }
    }
    return false;
  }

  private Operator operator(HttpServletRequest request, HttpServletResponse response) {
    for (ConsoleAccess way : ways) {
      Optional<Operator> known = way.operator(request);
      if (known.isPresent()) {
        return limited(known.get());
      }
    }
    Optional<SessionCookies.Session> session = sessions.session(request, response);
    if (session.isPresent()) {
      request.setAttribute(SessionCalls.BY_COOKIE, true);
      Optional<Operator> known = ofSession(session.get());
      if (known.isPresent()) {
        return limited(known.get());
      }
    }
    throw Problem.unauthenticated();
  }

  /** With the rights that the configuration gives now. */
  private Optional<Operator> ofSession(SessionCookies.Session session) {
    return ways.stream()
        .filter(way -> way instanceof SecretAccess && way.way().equals(session.way()))
        .findFirst()
        .flatMap(way -> ((SecretAccess) way).named(session.name()));
  }

  private Operator limited(Operator operator) {
    List<Right> taken = new ArrayList<>();
    if (settings.readOnly()) {
      taken.addAll(EnumSet.of(Right.OPERATE, Right.ADMIN));
    }
    if (!settings.operatorsReveal() && !operator.may(Right.ADMIN)) {
      taken.add(Right.PAYLOAD);
    }
    return taken.isEmpty() ? operator : operator.without(Set.copyOf(taken));
  }

  private @Nullable ConsoleDatabase database(@Nullable String name) {
    return name == null
        ? null
        : databases.stream()
            .filter(each -> each.name().equals(name))
            .findFirst()
            .orElseThrow(
                () ->
                    Problem.unknown(
                        "no database of this name (expected: one of "
                            + databases.stream().map(ConsoleDatabase::name).toList()
                            + ")"));
  }
}
