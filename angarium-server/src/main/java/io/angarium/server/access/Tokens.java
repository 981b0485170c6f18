package io.angarium.server.access;

import com.nimbusds.jwt.JWTClaimsSet;
import io.angarium.TimeSource;
import io.angarium.http.half.HalfProblem;
import io.angarium.server.problem.ProblemException;
import io.angarium.server.settings.OAuth2Properties;
import java.time.Instant;

/** Who shows a token of the issuer, and what that permits. Thread-safe. */
public final class Tokens {
  private static final int NAME_LENGTH_MAX = 100;

  private final OAuth2Properties given;
  private final TokenVerification verification;
  private final Grants grants;
  private final CallerRates rates;
  private final TimeSource time;

  /** Creates an instance from the configuration. Does not contact the issuer yet. */
  public static Tokens of(OAuth2Properties given, TimeSource time) {
    KeptKeys keys = new KeptKeys(given, new IssuerKeys(given, time), time);
    return new Tokens(given, new TokenVerification(given, keys, time), time);
  }

  private Tokens(OAuth2Properties given, TokenVerification verification, TimeSource time) {
    this.given = given;
    this.verification = verification;
    this.grants = new Grants(given.grants());
    this.rates = new CallerRates(CallerRates.CALLERS_MAX, time);
    this.time = time;
  }

  /** Who must have issued them. */
  String issuer() {
    return String.valueOf(given.issuerUri());
  }

  /** Whether a text has the form of a token, as no key that is made as the page says has. */
  static boolean isToken(String text) {
    return text.indexOf('.') >= 0;
  }

  /**
   * Who it is. May wait for the issuer, for some seconds.
   *
   * @throws ProblemException if the token is refused, cannot be checked now or permits nothing
   */
  public Caller callerOf(String token) {
    JWTClaimsSet claims = verification.claims(token);
    String name = name(claims);
    Grants.Granted granted = grants.of(claims);
    if (granted.permissions().isEmpty()) {
      throw new ProblemException(
          403,
          HalfProblem.NOT_PERMITTED,
          "the token of '%s' permits nothing here; permit it by %s.grants"
              .formatted(name, OAuth2Properties.PREFIX));
    }
    Instant end = claims.getExpirationTime().toInstant().plus(given.clockSkew());
    return Caller.withToken(
        name,
        granted.permissions(),
        rates.of(name, granted.rate()),
        () -> !time.instant().isBefore(end));
  }

  private String name(JWTClaimsSet claims) {
    Object name = claims.getClaim(given.nameClaim());
    if (name instanceof String text
        && text.length() <= NAME_LENGTH_MAX
        && text.chars().noneMatch(Character::isISOControl)
        && !text.isBlank()) {
      return text;
    }
    throw new ProblemException(
        401,
        HalfProblem.UNAUTHENTICATED,
        "the token is refused: its claim %s (%s.name-claim) is no text of 1..%d characters"
            .formatted(given.nameClaim(), OAuth2Properties.PREFIX, NAME_LENGTH_MAX));
  }
}
