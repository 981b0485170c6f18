package io.angarium.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** An issuer of tokens with real keys, on a real web server of the loopback interface. */
final class Issuer implements AutoCloseable {
  /** For whom its tokens are. */
  static final String AUDIENCE = "angarium";

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final AtomicInteger asked = new AtomicInteger();
  private final ConcurrentHashMap<String, String> pages = new ConcurrentHashMap<>();
  private final String scheme;
  private final HttpServer server;
  private final AtomicInteger dripping = new AtomicInteger();
  private volatile List<JWK> keys = List.of();
  private volatile boolean slow;
  private volatile String more = "";

  Issuer() {
    this(null);
  }

  /**
   * One at {@code https://127.0.0.1}.
   *
   * @param tls with its certificate; null for plain HTTP
   */
  Issuer(@Nullable SSLContext tls) {
    this.scheme = tls == null ? "http" : "https";
    try {
      InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
      server = tls == null ? HttpServer.create(address, 0) : secure(address, tls);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext(
        "/",
        exchange -> {
          try (exchange) {
            String path = exchange.getRequestURI().getPath();
            if (path.equals("/moved")) {
              exchange.getResponseHeaders().set("Location", "/keys");
              exchange.sendResponseHeaders(302, -1);
              return;
            }
            if (slow && path.equals("/keys")) {
              drip(exchange);
              return;
            }
            String page = path.equals("/keys") ? published() : pages.get(path);
            byte[] answer = String.valueOf(page).getBytes(UTF_8);
            exchange.sendResponseHeaders(page == null ? 404 : 200, answer.length);
            exchange.getResponseBody().write(answer);
          }
        });
    server.setExecutor(threads);
    server.start();
    describe("/.well-known/openid-configuration", uri(), uri() + "/keys");
  }

  private static HttpServer secure(InetSocketAddress address, SSLContext tls) throws IOException {
    HttpsServer server = HttpsServer.create(address, 0);
    server.setHttpsConfigurator(new HttpsConfigurator(tls));
    return server;
  }

  private String published() {
    asked.incrementAndGet();
    return new JWKSet(keys).toPublicJWKSet().toString().replace("[", "[" + more);
  }

  /** Writes a space now and then, until nobody reads any more. */
  private void drip(HttpExchange exchange) throws IOException {
    dripping.incrementAndGet();
    try {
      exchange.sendResponseHeaders(200, 1_000_000);
      while (true) {
        exchange.getResponseBody().write(' ');
        exchange.getResponseBody().flush();
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
      }
    } finally {
      dripping.decrementAndGet();
    }
  }

  /** Answers questions for its keys without an end, or does not any more. */
  void answerSlowly(boolean slow) {
    this.slow = slow;
  }

  /** How many such answers are under way. */
  int dripping() {
    return dripping.get();
  }

  /** Publishes this before all keys: JSON with a comma at its end. */
  void publishBefore(String json) {
    more = json;
  }

  /** Has a page with a description. */
  void describe(String path, String issuer, String jwksUri) {
    pages.put(path, "{\"issuer\":\"%s\",\"jwks_uri\":\"%s\"}".formatted(issuer, jwksUri));
  }

  /** Has a page with this. */
  void describe(String path, String content) {
    pages.put(path, content);
  }

  /** Has no such page any more. */
  void forget(String path) {
    pages.remove(path);
  }

  String uri() {
    return scheme + "://127.0.0.1:" + server.getAddress().getPort();
  }

  /** How often it was asked for its keys. */
  int asked() {
    return asked.get();
  }

  /** Publishes these keys and no others. */
  Issuer publish(JWK... keys) {
    this.keys = List.of(keys);
    return this;
  }

  static RSAKey rsa(String id) {
    try {
      return new RSAKeyGenerator(2048).keyID(id).generate();
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  static ECKey ec(String id) {
    try {
      return new ECKeyGenerator(Curve.P_256).keyID(id).generate();
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Claims of a token that ends in an hour. */
  JWTClaimsSet.Builder claims(String subject, String scope) {
    return new JWTClaimsSet.Builder()
        .issuer(uri())
        .subject(subject)
        .audience(AUDIENCE)
        .claim("scope", scope)
        .expirationTime(Date.from(Instant.now().plus(Duration.ofHours(1))));
  }

  /** A token with a scope. */
  String token(JWK key, String subject, String scope) {
    return signed(key, claims(subject, scope).build());
  }

  /** A token with these claims. */
  static String signed(JWK key, JWTClaimsSet claims) {
    return signed(key, claims, key instanceof RSAKey ? "JWT" : "at+jwt");
  }

  /** A token of another type. */
  static String signed(JWK key, JWTClaimsSet claims, String type) {
    try {
      boolean rsa = key instanceof RSAKey;
      JWSSigner signer = rsa ? new RSASSASigner(key.toRSAKey()) : new ECDSASigner(key.toECKey());
      JWSHeader header =
          new JWSHeader.Builder(rsa ? JWSAlgorithm.RS256 : JWSAlgorithm.ES256)
              .type(new JOSEObjectType(type))
              .keyID(key.getKeyID())
              .build();
      SignedJWT token = new SignedJWT(header, claims);
      token.sign(signer);
      return token.serialize();
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
