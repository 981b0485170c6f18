package io.angarium.console.internal.access;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.angarium.TimeSource;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Sessions of browsers. A cookie names the way in and the operator, when it began and when it was
 * used last, and is signed; so any node with the same secret knows it. Thread-safe.
 */
public final class SessionCookies {
  /** How long a session lasts. */
  public static final Duration LIFE = Duration.ofHours(8);

  /** A session ends when it was not used for so long. */
  public static final Duration IDLE = Duration.ofMinutes(30);

  private static final Duration RENEWED_AFTER = Duration.ofMinutes(1);
  private static final String SECURE_NAME = "__Host-angarium";
  private static final String PLAIN_NAME = "angarium-console";
  private static final int ID_BYTES = 32;
  private static final int LENGTH_MAX = 1_000;

  /** Sessions that were ended and are remembered; signing out so often means something else. */
  private static final int ENDED_MAX = 10_000;

  private final SecureRandom random = new SecureRandom();
  private final byte[] secret;
  private final TimeSource time;
  private final Map<String, Instant> ended = new ConcurrentHashMap<>();

  /**
   * A session. Immutable.
   *
   * @param way in
   * @param name of the operator
   * @param id random
   * @param began when somebody signed in
   * @param used when it was used last, within {@link #RENEWED_AFTER}
   */
  public record Session(String way, String name, String id, Instant began, Instant used) {}

  /**
   * Creates it.
   *
   * @param secret the same on every node; null for a random one, so that sessions end with this
   *     process
   */
  public SessionCookies(@Nullable String secret, TimeSource time) {
    this.secret = secret == null ? randomBytes(ID_BYTES) : secret.getBytes(UTF_8);
    this.time = time;
  }

  private byte[] randomBytes(int count) {
    byte[] bytes = new byte[count];
    random.nextBytes(bytes);
    return bytes;
  }

  /** Begins a session and gives it to the browser. */
  public void begin(
      HttpServletRequest request, HttpServletResponse response, String way, String name) {
    Instant now = time.instant();
    give(request, response, new Session(way, name, encode(randomBytes(ID_BYTES)), now, now));
  }

  /** The session of a request, renewed if that is due; empty if there is none that is valid. */
  public Optional<Session> session(HttpServletRequest request, HttpServletResponse response) {
    Session session = read(request);
    Instant now = time.instant();
    if (session == null
        || ended.containsKey(session.id())
        || now.isAfter(session.began().plus(LIFE))
        || now.isAfter(session.used().plus(IDLE))) {
      return Optional.empty();
    }
    if (now.isAfter(session.used().plus(RENEWED_AFTER))) {
      give(
          request,
          response,
          new Session(session.way(), session.name(), session.id(), session.began(), now));
    }
    return Optional.of(session);
  }

  /** Ends the session of a request, if there is one. */
  public void end(HttpServletRequest request, HttpServletResponse response) {
    Session session = read(request);
    if (session != null) {
      remember(session);
    }
    Cookie cookie = cookie(request, "");
    cookie.setMaxAge(0);
    response.addCookie(cookie);
  }

  private void remember(Session session) {
    Instant now = time.instant();
    if (ended.size() >= ENDED_MAX) {
      for (Iterator<Instant> each = ended.values().iterator(); each.hasNext(); ) {
        if (now.isAfter(each.next())) {
          each.remove();
        }
      }
    }
    ended.put(session.id(), session.began().plus(LIFE));
  }

  private @Nullable Session read(HttpServletRequest request) {
    Cookie[] cookies = request.getCookies();
    String wanted = name(request);
    if (cookies != null) {
      for (Cookie each : cookies) {
        if (each.getName().equals(wanted)) {
          return parse(each.getValue());
        }
      }
    }
    return null;
  }

  private @Nullable Session parse(String value) {
    int dot = value.lastIndexOf('.');
    if (dot < 0 || value.length() > LENGTH_MAX) {
      return null;
    }
    String signed = value.substring(0, dot);
    byte[] right = sign(signed).getBytes(UTF_8);
    if (!MessageDigest.isEqual(right, value.substring(dot + 1).getBytes(UTF_8))) {
      return null;
    }
    String[] parts = signed.split("\\.", -1);
    return new Session(
        decode(parts[0]),
        decode(parts[1]),
        parts[2],
        Instant.ofEpochSecond(Long.parseLong(parts[3])),
        Instant.ofEpochSecond(Long.parseLong(parts[4])));
  }

  private void give(HttpServletRequest request, HttpServletResponse response, Session session) {
    String signed =
        String.join(
            ".",
            encode(session.way().getBytes(UTF_8)),
            encode(session.name().getBytes(UTF_8)),
            session.id(),
            String.valueOf(session.began().getEpochSecond()),
            String.valueOf(session.used().getEpochSecond()));
    response.addCookie(cookie(request, signed + "." + sign(signed)));
  }

  /** A path other than the root would need the console's path before every proxy. */
  private static Cookie cookie(HttpServletRequest request, String value) {
    Cookie cookie = new Cookie(name(request), value);
    cookie.setHttpOnly(true);
    cookie.setSecure(request.isSecure());
    cookie.setPath("/");
    cookie.setAttribute("SameSite", "Strict");
    return cookie;
  }

  private static String name(HttpServletRequest request) {
    return request.isSecure() ? SECURE_NAME : PLAIN_NAME;
  }

  private String sign(String text) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret, "HmacSHA256"));
      return encode(mac.doFinal(text.getBytes(UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has HmacSHA256", e);
    }
  }

  private static String encode(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  private static String decode(String text) {
    return new String(Base64.getUrlDecoder().decode(text), UTF_8);
  }
}
