package io.angarium.server.faults;

import io.angarium.ConfigFaults;
import io.angarium.server.access.Grants;
import io.angarium.server.access.IssuerKeys;
import io.angarium.server.settings.OAuth2Properties;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Everything that is wrong with how tokens are to be taken. */
final class OAuth2Faults {
  private static final String PREFIX = OAuth2Properties.PREFIX + ".";
  private static final Duration SKEW_MAX = Duration.ofMinutes(5);
  private static final Duration REFRESHED_MIN = Duration.ofSeconds(30);
  private static final Duration REFRESHED_MAX = Duration.ofDays(1);
  private static final Duration KEPT_MAX = Duration.ofDays(7);

  private final OAuth2Properties given;
  private final ConfigFaults faults;

  private OAuth2Faults(OAuth2Properties given, ConfigFaults faults) {
    this.given = given;
    this.faults = faults;
  }

  static void gather(OAuth2Properties given, ConfigFaults faults) {
    if (given.isWanted()) {
      OAuth2Faults gathered = new OAuth2Faults(given, faults);
      gathered.checkAddresses();
      gathered.checkOthers();
      given.grants().forEach(gathered::check);
    }
  }

  private void checkAddresses() {
    String issuer = given.issuerUri();
    faults.require(
        issuer != null && address(issuer) != null,
        PREFIX + "issuer-uri",
        issuer == null ? "none" : "'" + issuer + "'",
        "the address of the issuer, as it stands in the claim iss; https:// or http://");
    if (given.jwkSetUri() != null) {
      checkSource("jwk-set-uri", given.jwkSetUri());
    } else if (issuer != null && address(issuer) != null) {
      checkSource("issuer-uri", issuer);
    }
  }

  /** Where keys come from decides who may do everything. */
  private void checkSource(String property, String text) {
    URI address = address(text);
    faults.require(
        address != null && IssuerKeys.isSafe(address, given.plainHttp()),
        PREFIX + property,
        "'" + text + "'",
        "an address with https://, or one of this machine, as whoever is in between could make tokens; or %splain-http=true"
            .formatted(PREFIX));
  }

  /** Null if it is none. */
  private static @Nullable URI address(String text) {
    try {
      URI address = new URI(text);
      String scheme = String.valueOf(address.getScheme());
      boolean web = scheme.equals("https") || scheme.equals("http");
      return web && address.getHost() != null && address.getRawFragment() == null ? address : null;
    } catch (URISyntaxException e) {
      return null;
    }
  }

  private void checkOthers() {
    boolean audiences =
        !given.audiences().isEmpty() && given.audiences().stream().noneMatch(String::isBlank);
    faults
        .require(
            audiences,
            PREFIX + "audiences",
            given.audiences().isEmpty() ? "none" : given.audiences(),
            "whom the tokens are for, e.g. angarium, as tokens for others are not for this server")
        .require(!given.nameClaim().isBlank(), PREFIX + "name-claim", "''", "the name of a claim")
        .range(PREFIX + "clock-skew", given.clockSkew(), Duration.ZERO, SKEW_MAX)
        .range(PREFIX + "keys-refreshed", given.keysRefreshed(), REFRESHED_MIN, REFRESHED_MAX)
        .range(PREFIX + "keys-kept", given.keysKept(), given.keysRefreshed(), KEPT_MAX)
        .require(
            !given.grants().isEmpty(),
            PREFIX + "grants",
            "none",
            "at least one, as a token alone permits nothing");
  }

  private void check(String name, OAuth2Properties.Grant grant) {
    String prefix = PREFIX + "grants." + name + ".";
    List<String> values = grant.values();
    ServerFaults.checkName(PREFIX + "grants", name, faults);
    faults
        .require(!grant.claim().isBlank(), prefix + "claim", "''", "the name of a claim")
        .require(
            !values.isEmpty() && values.stream().noneMatch(String::isBlank),
            prefix + "values",
            values.isEmpty() ? "none" : values,
            "at least one value of the claim " + grant.claim());
    if (Grants.OF_SEVERAL_WORDS.contains(grant.claim())) {
      faults.require(
          values.stream().noneMatch(each -> each.contains("*") || each.contains(" ")),
          prefix + "values",
          values,
          "single words of the claim %s, letter for letter, as no token would fit others"
              .formatted(grant.claim()));
    }
    ServerFaults.check(prefix, grant, faults);
  }
}
