package io.angarium.spring.autoconfigure.internal.mapping;

import io.angarium.ConfigFaults;
import io.angarium.half.HalfMessage;
import io.angarium.spring.settings.AngariumProperties;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Collection;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Maps the properties of where this application itself is asked, and told, over HTTP. */
public final class EndpointMapping {
  public static final String CHECK_BACK = "half.check-back-endpoint.";
  public static final String RECEIPTS = "confirmation.receipts-endpoint.";
  private static final Set<String> SCHEMES = Set.of("http", "https");

  private EndpointMapping() {}

  /** Null if half messages are to have no address by default. */
  public static @Nullable URI address(AngariumProperties.CheckBackEndpoint given) {
    return given.address() == null ? null : URI.create(given.address());
  }

  public static void check(AngariumProperties.CheckBackEndpoint given) {
    ConfigFaults faults = new ConfigFaults();
    checkPath(CHECK_BACK, given.path(), "/angarium/check-back", faults);
    faults.require(
        given.address() == null || isAddress(given.address()),
        CHECK_BACK + "address",
        "'" + given.address() + "'",
        "http:// or https://, a host and a path, at most "
            + HalfMessage.CHECK_BACK_LENGTH_MAX
            + " characters, e.g. http://orders:8080/angarium/check-back");
    String why = "strangers could keep transactions from committing";
    if (given.enabled()) {
      checkSecrets(CHECK_BACK, given.secrets() != null, given.unsigned(), why, faults);
    }
    faults.throwIfAny();
  }

  public static void check(AngariumProperties.ReceiptsEndpoint given) {
    ConfigFaults faults = new ConfigFaults();
    checkPath(RECEIPTS, given.path(), "/angarium/receipts", faults);
    String why = "strangers could confirm messages";
    if (given.enabled()) {
      checkSecrets(RECEIPTS, given.secrets() != null, given.unsigned(), why, faults);
    }
    faults.throwIfAny();
  }

  /** Throws if both have the same path, where the one that comes first would get all requests. */
  public static void checkApart(
      AngariumProperties.CheckBackEndpoint asked, AngariumProperties.ReceiptsEndpoint told) {
    new ConfigFaults()
        .require(
            !asked.path().equals(told.path()),
            RECEIPTS + "path",
            "'" + told.path() + "'",
            "another than angarium." + CHECK_BACK + "path, as both are switched on")
        .throwIfAny();
  }

  private static void checkPath(String prefix, String path, String example, ConfigFaults faults) {
    faults.require(
        path.matches("(/[A-Za-z0-9._~-]+)+"),
        prefix + "path",
        "'" + path + "'",
        "a path without wildcards, e.g. " + example);
  }

  private static void checkSecrets(
      String prefix, boolean secrets, boolean unsigned, String why, ConfigFaults faults) {
    faults
        .require(
            unsigned || secrets,
            prefix + "secrets",
            "none",
            "at least one, as %s; or angarium.%sunsigned=true, where nobody else gets there"
                .formatted(why, prefix))
        .require(
            !(unsigned && secrets), prefix + "unsigned", "true", "false, as there are secrets");
  }

  /**
   * Throws if messages on a server would have no address.
   *
   * @param businesses of messages that cannot name one themselves
   */
  public static void checkAskable(
      AngariumProperties.CheckBackEndpoint given, Collection<String> businesses) {
    new ConfigFaults()
        .require(
            given.address() != null || businesses.isEmpty(),
            "angarium." + CHECK_BACK + "address",
            "none",
            "where the server reaches this application, as it asks for messages of"
                + " @TransactionalMessage: "
                + String.join(", ", businesses))
        .throwIfAny();
  }

  private static boolean isAddress(String text) {
    try {
      URI address = new URI(text);
      return address.getScheme() != null
          && SCHEMES.contains(address.getScheme())
          && address.getHost() != null
          && text.length() <= HalfMessage.CHECK_BACK_LENGTH_MAX;
    } catch (URISyntaxException e) {
      return false;
    }
  }
}
