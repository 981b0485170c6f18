package io.angarium.server.access;

import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.util.JSONObjectUtils;
import io.angarium.TimeSource;
import io.angarium.internal.DurationText;
import io.angarium.server.settings.OAuth2Properties;
import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keys of the issuer, as it publishes them at the moment: it is asked each time, for a bounded
 * time. Thread-safe.
 */
public final class IssuerKeys {
  /** For all that it is asked at a time, however slowly it answers; but for the name service. */
  static final Duration FETCH_MAX = Duration.ofSeconds(5);

  private static final Logger LOG = LoggerFactory.getLogger(IssuerKeys.class);
  private static final Set<String> LOCAL_NAMES = Set.of("localhost", "127.0.0.1", "[::1]");
  private static final Duration CONNECT_MAX = Duration.ofSeconds(2);
  private static final int BYTES_MAX = 1 << 20;

  private final OAuth2Properties given;
  private final TimeSource time;

  /** Sends each request only to the address that is named: it follows no redirects. */
  private final HttpClient client =
      HttpClient.newBuilder()
          .version(Version.HTTP_1_1)
          .connectTimeout(CONNECT_MAX)
          .followRedirects(Redirect.NEVER)
          .build();

  private volatile boolean away;

  IssuerKeys(OAuth2Properties given, TimeSource time) {
    this.given = given;
    this.time = time;
  }

  /** Whether nobody in between can give other keys than the issuer's. */
  public static boolean isSafe(URI address, boolean plainHttp) {
    return "https".equals(address.getScheme())
        || ("http".equals(address.getScheme())
            && (plainHttp
                || LOCAL_NAMES.contains(
                    String.valueOf(address.getHost()).toLowerCase(Locale.ROOT))));
  }

  /** Whether the issuer could not be asked the last time. */
  boolean isAway() {
    return away;
  }

  /**
   * Asks for them and waits.
   *
   * @throws IOException if there is no answer in time, or one that is none
   */
  JWKSet fetched() throws IOException {
    try {
      long end = time.nanoTime() + FETCH_MAX.toNanos();
      JWKSet keys = keys(content(address(end), end));
      present(keys);
      return keys;
    } catch (IOException | ParseException | RuntimeException e) {
      missed(e);
      throw new IOException(e);
    }
  }

  private void present(JWKSet keys) {
    if (away) {
      LOG.info("The keys of the issuer {} can be fetched again", given.issuerUri());
    }
    away = false;
    LOG.debug("{} keys of the issuer {}", keys.size(), given.issuerUri());
  }

  private void missed(Exception e) {
    if (away) {
      LOG.debug("The keys of the issuer {} cannot be fetched", given.issuerUri(), e);
    } else {
      LOG.warn(
          "The keys of the issuer {} cannot be fetched; tokens are checked with the old ones for {}, and those of new keys are told to come again",
          given.issuerUri(),
          DurationText.of(given.keysKept()),
          e);
    }
    away = true;
  }

  /**
   * Returns the keys that can be read. It skips the others: a key of a new kind does not belong to
   * the tokens that this server accepts.
   */
  private JWKSet keys(String published) throws ParseException {
    List<Object> listed = JSONObjectUtils.getJSONArray(object(published), "keys");
    if (listed == null) {
      throw new ParseException("an answer without keys", 0);
    }
    List<JWK> keys = new ArrayList<>();
    for (Object each : listed) {
      try {
        keys.add(key(each));
      } catch (ParseException | RuntimeException e) {
        LOG.debug("A key of the issuer {} cannot be read", given.issuerUri(), e);
      }
    }
    if (keys.isEmpty() && !listed.isEmpty()) {
      throw new ParseException("none of its %d keys can be read".formatted(listed.size()), 0);
    }
    return new JWKSet(keys);
  }

  private static JWK key(Object listed) throws ParseException {
    Map<String, Object> members = new LinkedHashMap<>();
    if (listed instanceof Map<?, ?> map) {
      map.forEach((name, value) -> members.put(String.valueOf(name), value));
    }
    return JWK.parse(members);
  }

  private static Map<String, Object> object(String json) throws ParseException {
    Map<String, Object> object = JSONObjectUtils.parse(json);
    if (object == null) {
      throw new ParseException("an answer that is null", 0);
    }
    return object;
  }

  private URI address(long end) throws IOException, ParseException {
    if (given.jwkSetUri() != null) {
      return URI.create(given.jwkSetUri());
    }
    String issuer = Objects.requireNonNull(given.issuerUri());
    Map<String, Object> described = object(description(URI.create(issuer), end));
    if (!issuer.equals(JSONObjectUtils.getString(described, "issuer"))) {
      throw new IOException("the description of " + issuer + " is that of another issuer");
    }
    URI address = URI.create(String.valueOf(JSONObjectUtils.getString(described, "jwks_uri")));
    if (!isSafe(address, given.plainHttp())) {
      throw new IOException(
          "its jwks_uri is %s (expected: https://; or %s.plain-http=true)"
              .formatted(address, OAuth2Properties.PREFIX));
    }
    return address;
  }

  /**
   * Fetches the description of the issuer from where OpenID Connect puts it. If it is not there,
   * fetches it from where RFC 8414 puts it.
   */
  private String description(URI issuer, long end) throws IOException {
    String path = String.valueOf(issuer.getPath()).replaceFirst("/$", "");
    try {
      return content(issuer.resolve(path + "/.well-known/openid-configuration"), end);
    } catch (FileNotFoundException e) {
      return content(issuer.resolve("/.well-known/oauth-authorization-server" + path), end);
    }
  }

  private String content(URI address, long end) throws IOException {
    ByteArrayOutputStream read = new ByteArrayOutputStream();
    HttpResponse<Void> answer =
        answer(
            client.sendAsync(
                HttpRequest.newBuilder(address).setHeader("user-agent", "Angarium").build(),
                BodyHandlers.ofByteArrayConsumer(
                    part -> part.ifPresent(bytes -> keep(bytes, read)))),
            end);
    if (answer.statusCode() == 404) {
      throw new FileNotFoundException(address.toString());
    }
    if (answer.statusCode() != 200 || read.size() > BYTES_MAX) {
      throw new IOException(
          "%s answers %d with %d bytes (expected: 200 with up to %d)"
              .formatted(address, answer.statusCode(), read.size(), BYTES_MAX));
    }
    return read.toString(StandardCharsets.UTF_8);
  }

  /** One byte more than the largest answer has says that it is too large. */
  private static void keep(byte[] bytes, ByteArrayOutputStream read) {
    read.write(bytes, 0, Math.min(bytes.length, BYTES_MAX + 1 - read.size()));
  }

  /** The time-out of a request would end with its headers. */
  private <T> HttpResponse<T> answer(CompletableFuture<HttpResponse<T>> sent, long end)
      throws IOException {
    try {
      return sent.get(Math.max(0, end - time.nanoTime()), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      throw new IOException(e.getCause());
    } catch (TimeoutException e) {
      sent.cancel(true); // closes the connection
      throw new IOException("no whole answer within " + DurationText.of(FETCH_MAX), e);
    } catch (InterruptedException e) {
      sent.cancel(true);
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }
}
