package io.angarium.console.internal.calls;

import io.angarium.console.access.Right;
import io.angarium.console.internal.http.Answer;
import io.angarium.console.internal.http.ApiRoute;
import io.angarium.console.internal.http.Call;
import io.angarium.console.internal.json.RecordJson;
import io.angarium.console.settings.ConsoleDatabase;
import io.angarium.console.settings.ConsoleSettings;
import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Who is signed in, and which databases there are. Thread-safe. */
public final class SessionCalls {
  /** The attribute of a request whose operator is known by a cookie. */
  public static final String BY_COOKIE = "io.angarium.console.by-cookie";

  private static final String CSRF_TOKEN = "org.springframework.security.web.csrf.CsrfToken";

  private final ConsoleSettings settings;
  private final List<ConsoleDatabase> databases;

  public SessionCalls(ConsoleSettings settings, List<ConsoleDatabase> databases) {
    this.settings = settings;
    this.databases = List.copyOf(databases);
  }

  /** What the application wants to see against forged requests. Immutable. */
  record Csrf(String header, String token) {}

  /** Somebody who is signed in. Immutable. */
  record Me(
      String operator,
      String role,
      List<String> may,
      boolean readOnly,
      boolean correct,
      boolean scoped,
      @Nullable Csrf csrf,
      boolean signOut,
      String version,
      @Nullable String traceUrl,
      @Nullable String logUrl) {}

  /** A database. Immutable. */
  record Database(String name, String product, boolean history, List<String> features) {}

  /** All databases. Immutable. */
  record Databases(List<Database> items) {}

  /** The routes. */
  public List<ApiRoute> routes() {
    return List.of(
        ApiRoute.get(
            "me",
            Right.VIEW,
            "Says who is signed in and what they may do",
            Me.class,
            List.of(),
            this::me),
        ApiRoute.get(
            "databases",
            Right.VIEW,
            "Lists the databases of this console",
            Databases.class,
            List.of(),
            this::databases));
  }

  private Answer me(Call call) {
    List<String> may = call.operator().rights().stream().map(RecordJson::text).toList();
    return Answer.of(
        new Me(
            call.operator().name(),
            may.contains("admin") ? "admin" : may.contains("operate") ? "operator" : "viewer",
            may,
            settings.readOnly(),
            settings.correct(),
            !call.operator().mayAll(Right.VIEW),
            csrf(call.request()),
            call.request().getAttribute(BY_COOKIE) != null,
            settings.version(),
            settings.traceUrl(),
            settings.logUrl()));
  }

  /** What Spring Security leaves in the request, without depending on it. */
  private static @Nullable Csrf csrf(HttpServletRequest request) {
    Object token = request.getAttribute("_csrf");
    if (token == null) {
      return null;
    }
    try {
      Class<?> type = Class.forName(CSRF_TOKEN, false, token.getClass().getClassLoader());
      Object header = type.getMethod("getHeaderName").invoke(token);
      Object value = type.getMethod("getToken").invoke(token);
      return new Csrf(String.valueOf(header), String.valueOf(value));
    } catch (ReflectiveOperationException e) {
      return null;
    }
  }

  private Answer databases(Call call) {
    List<Database> items = new ArrayList<>();
    for (ConsoleDatabase each : databases) {
      List<String> features = new ArrayList<>(each.features());
      if (each.half() != null) {
        features.add("half");
      }
      if (each.half() != null && each.trial() != null) {
        features.add("half-ask");
      }
      if (each.alerts() != null) {
        features.add("alerts");
      }
      if (each.board() != null) {
        features.add("series");
      }
      if (each.confirmations() != null) {
        features.add("confirmations");
      }
      if (each.reports() != null) {
        features.add("reconciliation");
      }
      items.add(new Database(each.name(), each.product(), each.history(), features));
    }
    return Answer.of(new Databases(items));
  }
}
