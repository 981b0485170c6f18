package io.angarium.server.settings;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Tokens of an issuer, besides API keys or instead of them. Immutable.
 *
 * @param issuerUri who must have issued them, as it calls itself; null for no tokens
 * @param jwkSetUri where its keys are; null to ask the issuer for that
 * @param audiences for whom they must be issued; one of the audiences is enough
 * @param clockSkew how far the clocks of issuer and server may be apart
 * @param nameClaim the claim that names the caller, for its rate and for the acts of persons
 * @param keysRefreshed after which time the issuer is asked for its keys again
 * @param keysKept how long they count while it cannot be asked
 * @param plainHttp whether the keys may come from another host without TLS
 * @param grants what callers may do, by a name for people
 */
public record OAuth2Properties(
    @Nullable String issuerUri,
    @Nullable String jwkSetUri,
    @DefaultValue List<String> audiences,
    @DefaultValue("60s") Duration clockSkew,
    @DefaultValue("sub") String nameClaim,
    @DefaultValue("5m") Duration keysRefreshed,
    @DefaultValue("1h") Duration keysKept,
    @DefaultValue("false") boolean plainHttp,
    @DefaultValue Map<String, Grant> grants) {
  /** Prefix of all of these properties. */
  public static final String PREFIX = ServerProperties.PREFIX + ".oauth2";

  /**
   * Permissions of callers whose token has a certain claim. Immutable.
   *
   * @param claim its name; parts of a path to one inside another are divided by dots
   * @param values values of the claim; the token must have one of them
   * @param businesses which business ids, perhaps with {@code *} for any characters
   * @param destinations to which destinations they may prepare, perhaps with {@code *}, too
   * @param steps what they may do with them; by default prepare, commit, rollback and read, but not
   *     operate, measure or view
   * @param rate calls of each caller in a second, at each server; null for any number
   * @param payloadMax the largest payload; null for that of the limits
   */
  public record Grant(
      @DefaultValue("scope") String claim,
      @DefaultValue List<String> values,
      @DefaultValue List<String> businesses,
      @DefaultValue List<String> destinations,
      @DefaultValue({"prepare", "commit", "rollback", "read"}) Set<Permission> steps,
      @Nullable Integer rate,
      @Nullable DataSize payloadMax)
      implements Rights {}

  /** Whether tokens are taken, or are meant to be. */
  public boolean isWanted() {
    return issuerUri != null || jwkSetUri != null || !audiences.isEmpty() || !grants.isEmpty();
  }
}
