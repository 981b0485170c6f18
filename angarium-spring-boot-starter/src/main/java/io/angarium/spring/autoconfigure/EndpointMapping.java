package io.angarium.spring.autoconfigure;

import io.angarium.ConfigFaults;
import io.angarium.half.HalfMessage;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Collection;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Maps the properties of where this application itself is asked for half messages. */
final class EndpointMapping {
  private static final String PREFIX = "half.check-back-endpoint.";
  private static final Set<String> SCHEMES = Set.of("http", "https");

  private EndpointMapping() {}

  /** Null if half messages are to have no address by default. */
  static @Nullable URI address(AngariumProperties.CheckBackEndpoint given) {
    return given.address() == null ? null : URI.create(given.address());
  }

  static void check(AngariumProperties.CheckBackEndpoint given) {
    new ConfigFaults()
        .require(
            given.path().matches("(/[A-Za-z0-9._~-]+)+"),
            PREFIX + "path",
            "'" + given.path() + "'",
            "a path without wildcards, e.g. /angarium/check-back")
        .require(
            given.address() == null || isAddress(given.address()),
            PREFIX + "address",
            "'" + given.address() + "'",
            "http:// or https://, a host and a path, at most "
                + HalfMessage.CHECK_BACK_LENGTH_MAX
                + " characters, e.g. http://orders:8080/angarium/check-back")
        .require(
            !given.enabled() || given.unsigned() || given.secrets() != null,
            PREFIX + "secrets",
            "none",
            "at least one, as strangers could keep transactions from committing; or"
                + " angarium.half.check-back-endpoint.unsigned=true, where nobody else gets there")
        .require(
            !given.unsigned() || given.secrets() == null,
            PREFIX + "unsigned",
            "true",
            "false, as there are secrets")
        .throwIfAny();
  }

  /**
   * Throws if messages on a server would have no address.
   *
   * @param businesses of messages that cannot name one themselves
   */
  static void checkAskable(
      AngariumProperties.CheckBackEndpoint given, Collection<String> businesses) {
    new ConfigFaults()
        .require(
            given.address() != null || businesses.isEmpty(),
            "angarium." + PREFIX + "address",
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
