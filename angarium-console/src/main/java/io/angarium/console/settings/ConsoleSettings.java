package io.angarium.console.settings;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How the console behaves. Immutable.
 *
 * @param version of Angarium, as addresses of the page's files have it
 * @param readOnly whether every act is refused
 * @param operatorsReveal whether those who act may see payloads that are not masked
 * @param correct whether administrators may change payload, headers and key of dead letters;
 *     another destination they may give them in any case
 * @param masked names of JSON fields and headers whose values are masked, besides {@link
 *     #MASKED_DEFAULT}; case, dashes and underscores do not count
 * @param cookieSecret signs cookies, the same on every node; null for one of this process
 * @param traceUrl address of a trace with {@code {traceId}} in it; null if there is none
 * @param logUrl address of the log of a message with {@code {messageId}} in it; null if there is
 *     none
 */
public record ConsoleSettings(
    String version,
    boolean readOnly,
    boolean operatorsReveal,
    boolean correct,
    Set<String> masked,
    @Nullable String cookieSecret,
    @Nullable String traceUrl,
    @Nullable String logUrl) {
  /** Names whose values are always masked unless a payload is revealed. */
  public static final List<String> MASKED_DEFAULT =
      List.of(
          "password",
          "passwd",
          "pwd",
          "secret",
          "token",
          "authorization",
          "cookie",
          "apikey",
          "credential",
          "card",
          "cvv",
          "iban",
          "account",
          "ssn",
          "idcard",
          "身份证",
          "证件",
          "phone",
          "mobile",
          "手机",
          "email",
          "邮箱",
          "address",
          "地址");

  /** The fewest characters of a secret. */
  public static final int SECRET_LENGTH_MIN = 32;

  /**
   * Checks the secret and the addresses.
   *
   * @throws IllegalArgumentException if one cannot be used
   */
  public ConsoleSettings {
    masked = Set.copyOf(masked);
    if (cookieSecret != null && cookieSecret.length() < SECRET_LENGTH_MIN) {
      throw new IllegalArgumentException(
          "cookie-secret: %d characters (expected: at least %d, random ones)"
              .formatted(cookieSecret.length(), SECRET_LENGTH_MIN));
    }
    requireAddress("trace-url", traceUrl, "{traceId}");
    requireAddress("log-url", logUrl, "{messageId}");
  }

  private static void requireAddress(String name, @Nullable String url, String placeholder) {
    if (url != null && !(url.matches("https?://[^/]+/.*") && url.contains(placeholder))) {
      throw new IllegalArgumentException(
          "%s: '%s' (expected: an http or https address with %s in it)"
              .formatted(name, url, placeholder));
    }
  }

  /** Settings that fit most. */
  public static ConsoleSettings of(String version) {
    return new ConsoleSettings(version, false, true, false, Set.of(), null, null, null);
  }
}
