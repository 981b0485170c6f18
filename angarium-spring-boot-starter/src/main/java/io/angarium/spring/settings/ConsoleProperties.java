package io.angarium.spring.settings;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties under {@code angarium.console}. Immutable.
 *
 * @param enabled Whether this application serves the operator console.
 * @param path Where it serves the console. By default '/angarium/console'.
 * @param access Who is let in. By default 'application' with Spring Security, and 'keys' if there
 *     are any.
 * @param roles Roles of the application and what they may do.
 * @param keys Keys by the names of those who have them. By default none.
 * @param cookieSecret Signs the cookies of those who sign in with a key; the same on every node. By
 *     default each process has one of its own.
 * @param readOnly Whether nobody may act.
 * @param operatorsReveal Whether those who act may see payloads that are not masked.
 * @param correct Whether administrators may change payload, headers and key of dead letters.
 * @param maskedFields Further names of JSON fields and headers whose values are masked. By default
 *     none.
 * @param traceUrl Address of a trace, with '{traceId}' in it. By default there are no links.
 * @param logUrl Address of the log of a message, with '{messageId}' in it. By default there are no
 *     links.
 */
public record ConsoleProperties(
    @DefaultValue("false") boolean enabled,
    @Nullable String path,
    @DefaultValue List<ConsoleWay> access,
    @DefaultValue Roles roles,
    @DefaultValue Map<String, Key> keys,
    @Nullable String cookieSecret,
    @DefaultValue("false") boolean readOnly,
    @DefaultValue("true") boolean operatorsReveal,
    @DefaultValue("false") boolean correct,
    @DefaultValue List<String> maskedFields,
    @Nullable String traceUrl,
    @Nullable String logUrl) {
  /** Where the console is unless a property says otherwise. */
  public static final String PATH = "/angarium/console";

  /** A way into the console. */
  public enum ConsoleWay {
    /** The application's own security says who somebody is. */
    APPLICATION,
    /** Somebody shows a key. */
    KEYS,
    /** A browser of this machine shows a ticket that is printed at the start. */
    LOCAL
  }

  /** What somebody who shows a key may do. */
  public enum ConsoleRole {
    /** Sees lists, numbers and masked payloads. */
    VIEWER,
    /** Acts on messages, too. */
    OPERATOR,
    /** May do everything. */
    ADMIN
  }

  /**
   * Roles of the application and what they may do. Immutable.
   *
   * @param viewer Role of those who see lists, numbers and masked payloads. By default
   *     'ANGARIUM_VIEWER'.
   * @param operator Role of those who act on messages, too. By default 'ANGARIUM_OPERATOR'.
   * @param admin Role of those who may do everything. By default 'ANGARIUM_ADMIN'.
   */
  public record Roles(@Nullable String viewer, @Nullable String operator, @Nullable String admin) {}

  /**
   * A key. Immutable.
   *
   * @param hashes Hashes of the key, 'sha256:' and 64 hexadecimal digits; two while it is replaced.
   * @param role What the key allows.
   * @param destinations Destinations whose messages it covers; '*' stands for any characters. By
   *     default all.
   * @param businesses Types of business objects whose messages it covers, likewise. By default all.
   */
  public record Key(
      @DefaultValue List<String> hashes,
      @DefaultValue("viewer") ConsoleRole role,
      @DefaultValue("*") List<String> destinations,
      @DefaultValue("*") List<String> businesses) {}
}
