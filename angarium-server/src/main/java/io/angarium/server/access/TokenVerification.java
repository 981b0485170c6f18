package io.angarium.server.access;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWT;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.JWTParser;
import com.nimbusds.jwt.proc.BadJWTException;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import io.angarium.TimeSource;
import io.angarium.http.half.HalfProblem;
import io.angarium.server.problem.ProblemException;
import io.angarium.server.settings.OAuth2Properties;
import java.text.ParseException;
import java.util.Date;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks that a token is one of the issuer, for this server, and of this time. Asks the issuer for
 * its keys with the first token, not before. Thread-safe.
 */
final class TokenVerification {
  private static final Logger LOG = LoggerFactory.getLogger(TokenVerification.class);

  /**
   * The algorithms whose signing key only the issuer has. With other algorithms, anyone who can
   * check a token could also make one.
   */
  private static final Set<JWSAlgorithm> ALGORITHMS =
      Set.of(
          JWSAlgorithm.RS256,
          JWSAlgorithm.RS384,
          JWSAlgorithm.RS512,
          JWSAlgorithm.PS256,
          JWSAlgorithm.PS384,
          JWSAlgorithm.PS512,
          JWSAlgorithm.ES256,
          JWSAlgorithm.ES384,
          JWSAlgorithm.ES512);

  private static final int DETAIL_LENGTH_MAX = 300;

  private final OAuth2Properties given;
  private final Claims claims;
  private final DefaultJWTProcessor<SecurityContext> processor = new DefaultJWTProcessor<>();

  TokenVerification(OAuth2Properties given, KeptKeys keys, TimeSource time) {
    this.given = given;
    this.claims = new Claims(given, time);
    processor.setJWSTypeVerifier(
        new DefaultJOSEObjectTypeVerifier<>(
            JOSEObjectType.JWT,
            new JOSEObjectType("at+jwt"),
            new JOSEObjectType("application/at+jwt"),
            null));
    processor.setJWSKeySelector(new JWSVerificationKeySelector<>(ALGORITHMS, keys));
    processor.setJWTClaimsSetVerifier(claims);
  }

  /** What the claims must be, by the clock of the server. */
  private static final class Claims extends DefaultJWTClaimsVerifier<SecurityContext> {
    private final TimeSource time;

    Claims(OAuth2Properties given, TimeSource time) {
      super(
          new HashSet<>(given.audiences()),
          new JWTClaimsSet.Builder().issuer(given.issuerUri()).build(),
          new HashSet<>(List.of("exp", given.nameClaim())),
          Set.of());
      setMaxClockSkew((int) given.clockSkew().toSeconds());
      this.time = time;
    }

    /** What is there and null is not there. */
    @Override
    public void verify(JWTClaimsSet claims, @Nullable SecurityContext context)
        throws BadJWTException {
      super.verify(claims, context);
      if (claims.getExpirationTime() == null) {
        throw new BadJWTException("JWT missing required claims: [exp]");
      }
    }

    @Override
    protected Date currentTime() {
      return Date.from(time.instant());
    }
  }

  /**
   * What stands in a token.
   *
   * @throws ProblemException if it is refused, or cannot be checked now
   */
  JWTClaimsSet claims(String token) {
    try {
      JWT parsed = JWTParser.parse(token);
      refuseByClaims(parsed);
      return processor.process(parsed, null);
    } catch (KeySourceException e) {
      LOG.debug("A token cannot be checked", e);
      throw new ProblemException(
          503,
          HalfProblem.ISSUER_AWAY,
          "the token cannot be checked now, as %s; nothing took effect, come again"
              .formatted(e.getMessage()),
          e instanceof KeptKeys.UnknownNowException now ? now.pause() : KeptKeys.ASKING_PAUSE);
    } catch (ParseException | BadJOSEException | JOSEException | RuntimeException e) {
      // includes failures of the parser itself: anybody can send anything
      LOG.debug("A token is refused", e);
      throw new ProblemException(
          401, HalfProblem.UNAUTHENTICATED, "the token is refused: " + excerpt(e) + expected());
    }
  }

  /**
   * Refuses a token by its claims, without a question to the issuer: no signature makes wrong
   * claims right. Right claims prove nothing yet, because anybody could have written them.
   */
  private void refuseByClaims(JWT unverified) throws ParseException, BadJWTException {
    JWTClaimsSet claims = unverified.getJWTClaimsSet();
    if (claims != null) {
      this.claims.verify(claims, null);
    }
  }

  private String expected() {
    return "; expected: one of the issuer %s for %s"
        .formatted(given.issuerUri(), String.join(" or ", given.audiences()));
  }

  private static String excerpt(Exception e) {
    String text = String.valueOf(e.getMessage()).replaceAll("[^\\x20-\\x7E]", "?");
    return text.length() <= DETAIL_LENGTH_MAX ? text : text.substring(0, DETAIL_LENGTH_MAX);
  }
}
