package io.angarium.http.signature;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.angarium.ConfigFaults;
import java.net.http.HttpRequest;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Proves to a receiver who sent a request, and that it is new: the symmetric scheme of Standard
 * Webhooks, {@code webhook-signature: v1,} and the Base64 form of HMAC-SHA256 over id, time and
 * body with dots in between. Libraries for it exist in most languages; a receiver in Java may use
 * this class:
 *
 * <pre>{@code
 * HttpSignature signature = HttpSignature.of(List.of("whsec_..."));
 * if (!signature.verify(
 *     request.getHeader(HttpSignature.ID),
 *     request.getHeader(HttpSignature.TIMESTAMP),
 *     request.getHeader(HttpSignature.SIGNATURE),
 *     body,
 *     Instant.now())) {
 *   response.setStatus(401);
 * }
 * }</pre>
 *
 * <p>To change a secret, let the receiver know the old and the new one first, then give both to the
 * sender, the new one in front, then take the old one away from both. Immutable.
 */
public final class HttpSignature {
  /** Header with the message id. */
  public static final String ID = "webhook-id";

  /** Header with the time of sending, in seconds since 1970. */
  public static final String TIMESTAMP = "webhook-timestamp";

  /** Header with one signature for each secret, with spaces in between. */
  public static final String SIGNATURE = "webhook-signature";

  /** How far the time of sending may be from the receiver's clock, either way: 5 min. */
  public static final Duration TOLERANCE_DEFAULT = Duration.ofMinutes(5);

  private static final String SECRET_PREFIX = "whsec_";
  private static final int SECRET_BYTES_MIN = 24;
  private static final int SECRET_BYTES_MAX = 64;
  private static final String SCHEME = "v1,";
  private static final String ALGORITHM = "HmacSHA256";

  private final List<SecretKeySpec> keys;
  private final Duration tolerance;

  private HttpSignature(List<SecretKeySpec> keys, Duration tolerance) {
    this.keys = keys;
    this.tolerance = tolerance;
  }

  /**
   * Signs with all of these secrets, and takes what was signed with any of them.
   *
   * @param secrets each {@code whsec_} (which may be left out) and the Base64 form of 24..64 random
   *     bytes; at least one
   * @throws io.angarium.ConfigurationException if there is none, or one has another form
   */
  public static HttpSignature of(List<String> secrets) {
    ConfigFaults faults = new ConfigFaults();
    faults.require(!secrets.isEmpty(), "secrets", "none", "at least one");
    check("secrets", secrets, faults);
    faults.throwIfAny();
    List<SecretKeySpec> keys = new ArrayList<>();
    secrets.forEach(secret -> keys.add(new SecretKeySpec(bytes(secret), ALGORITHM)));
    return new HttpSignature(List.copyOf(keys), TOLERANCE_DEFAULT);
  }

  /** Adds a fault for each secret of a wrong form; never its value. */
  public static void check(String name, List<String> secrets, ConfigFaults faults) {
    for (int i = 0; i < secrets.size(); i++) {
      int length = bytes(secrets.get(i)).length;
      faults.require(
          length >= SECRET_BYTES_MIN && length <= SECRET_BYTES_MAX,
          name + "[" + i + "]",
          "a secret",
          "whsec_ and the Base64 form of 24..64 bytes, as from 'openssl rand -base64 32'");
    }
  }

  /** The bytes of a secret; none if it is not Base64. */
  private static byte[] bytes(String secret) {
    String text =
        secret.startsWith(SECRET_PREFIX) ? secret.substring(SECRET_PREFIX.length()) : secret;
    try {
      return Base64.getDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      return new byte[0];
    }
  }

  /**
   * A copy with another tolerance.
   *
   * @param tolerance how far the time of sending may be from the receiver's clock, either way;
   *     longer than zero
   * @throws io.angarium.ConfigurationException if it is not
   */
  public HttpSignature tolerance(Duration tolerance) {
    new ConfigFaults()
        .require(
            !tolerance.isNegative() && !tolerance.isZero(),
            "tolerance",
            tolerance,
            "longer than zero")
        .throwIfAny();
    return new HttpSignature(keys, tolerance);
  }

  /**
   * The value of {@link #SIGNATURE} for a request.
   *
   * @param id the value of {@link #ID}
   * @param time the value of {@link #TIMESTAMP}, cut to seconds
   */
  public String sign(String id, Instant time, byte[] body) {
    String seconds = String.valueOf(time.getEpochSecond());
    return keys.stream()
        .map(key -> SCHEME + Base64.getEncoder().encodeToString(hmac(key, id, seconds, body)))
        .collect(Collectors.joining(" "));
  }

  /** Puts the three headers on a request with this body. */
  public void addTo(HttpRequest.Builder request, String id, Instant time, byte[] body) {
    request
        .setHeader(ID, id)
        .setHeader(TIMESTAMP, Long.toString(time.getEpochSecond()))
        .setHeader(SIGNATURE, sign(id, time, body));
  }

  /**
   * Whether a request was signed with one of the secrets, for this id and body, and not too long
   * ago. Takes as long for a wrong signature as for a right one.
   *
   * @param id the value of {@link #ID}; null if the request has none, as with the next two
   * @param timestamp the value of {@link #TIMESTAMP}
   * @param signatures the value of {@link #SIGNATURE}; other schemes in it are passed over
   * @param body the body as it came, byte for byte
   * @param now the receiver's time
   */
  public boolean verify(
      @Nullable String id,
      @Nullable String timestamp,
      @Nullable String signatures,
      byte[] body,
      Instant now) {
    return fault(id, timestamp, signatures, body, now) == null;
  }

  /**
   * What {@link #verify} finds wrong with a request, its headers by their names; null if nothing.
   */
  @Nullable SignatureFault fault(
      Function<String, @Nullable String> headers, byte[] body, Instant now) {
    return fault(headers.apply(ID), headers.apply(TIMESTAMP), headers.apply(SIGNATURE), body, now);
  }

  private @Nullable SignatureFault fault(
      @Nullable String id,
      @Nullable String timestamp,
      @Nullable String signatures,
      byte[] body,
      Instant now) {
    if (signatures == null) {
      return SignatureFault.missing(SIGNATURE);
    }
    if (timestamp == null) {
      return SignatureFault.missing(TIMESTAMP);
    }
    if (id == null) {
      return SignatureFault.missing(ID);
    }
    // before the time, as only a time that was signed says anything of the sender's clock
    return isSigned(id, timestamp, signatures, body)
        ? faultOfTime(timestamp, now)
        : SignatureFault.WRONG;
  }

  private boolean isSigned(String id, String timestamp, String signatures, byte[] body) {
    boolean found = false;
    for (SecretKeySpec key : keys) {
      byte[] expected = hmac(key, id, timestamp, body);
      for (String signature : signatures.split(" ", -1)) {
        found |= matches(signature, expected);
      }
    }
    return found;
  }

  private static boolean matches(String signature, byte[] expected) {
    if (!signature.startsWith(SCHEME)) {
      return false;
    }
    String given = signature.substring(SCHEME.length());
    String wanted = Base64.getEncoder().encodeToString(expected);
    return MessageDigest.isEqual(given.getBytes(UTF_8), wanted.getBytes(UTF_8));
  }

  private @Nullable SignatureFault faultOfTime(String timestamp, Instant now) {
    try {
      Instant sent = Instant.ofEpochSecond(Long.parseLong(timestamp));
      Duration late = Duration.between(sent, now);
      return late.abs().compareTo(tolerance) <= 0 ? null : SignatureFault.tooFar(late, tolerance);
    } catch (NumberFormatException | DateTimeException | ArithmeticException e) {
      return SignatureFault.NO_TIME;
    }
  }

  private static byte[] hmac(SecretKeySpec key, String id, String timestamp, byte[] body) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      mac.update((id + "." + timestamp + ".").getBytes(UTF_8));
      return mac.doFinal(body);
    } catch (GeneralSecurityException e) { // every JVM has it
      throw new IllegalStateException(ALGORITHM + " is not there", e);
    }
  }

  /** The number of secrets, never their values. */
  @Override
  public String toString() {
    return "HttpSignature[secrets=" + keys.size() + ", tolerance=" + tolerance + "]";
  }
}
