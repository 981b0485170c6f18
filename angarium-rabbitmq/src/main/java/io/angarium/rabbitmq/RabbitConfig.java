package io.angarium.rabbitmq;

import io.angarium.ConfigFaults;
import io.angarium.rabbitmq.internal.ShortString;
import java.nio.file.Path;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * How to reach RabbitMQ and how to send to it. Start with {@link #of} and change parts, each giving
 * a copy. Immutable.
 *
 * @param addresses {@code host:port}, several separated by commas: tried in any order until one
 *     answers
 * @param username default {@code guest}, which the broker takes from its own machine only
 * @param password default {@code guest}
 * @param virtualHost default {@code /}
 * @param tls whether the connection is encrypted; the broker's certificate must be trusted and be
 *     of its host. Default false, true for an address {@code amqps://}
 * @param trustedCertificates a file of PEM with the certificates that are trusted, of the broker or
 *     of who issued its own; only with {@code tls}. Null, the default, for those that this JVM
 *     trusts
 * @param sslContext trusted certificates and the client's own key; only with {@code tls}, and
 *     without {@code trustedCertificates}. Null, the default, for none
 * @param clientName the name of the connection in the broker's lists, 1..200 characters; default
 *     {@code angarium}
 * @param channels how many channels share the work, 1..32; default 2. A key stays with one of them
 * @param window how many messages of a channel may be without a confirm, 2..65535; default 2000
 * @param confirmTimeout how long a confirm may take, from the moment that the message was written,
 *     before it has the result Unavailable, 500 ms..2 min; default 5 s. To wait, to be written and
 *     to be confirmed it has one and a half of it, and {@code holdMax}. Also how long a partition
 *     stays unread after its owner died, so keep it near the lease
 * @param holdMax how long a message waits for a connection, for its turn, or for its exchange to be
 *     declared, 100 ms..1 min; default 5 s. After this time it is Unavailable, or Refused if the
 *     exchange does not exist
 * @param connectTimeout how long connecting to an address may take, 100 ms..1 min; default 3 s
 * @param heartbeat how often each side sends a heartbeat, 1 s..5 min; default 10 s
 */
public record RabbitConfig(
    String addresses,
    String username,
    String password,
    String virtualHost,
    boolean tls,
    @Nullable Path trustedCertificates,
    @Nullable SSLContext sslContext,
    String clientName,
    int channels,
    int window,
    Duration confirmTimeout,
    Duration holdMax,
    Duration connectTimeout,
    Duration heartbeat) {

  /**
   * Checks everything.
   *
   * @throws io.angarium.ConfigurationException listing all faults at once
   */
  public RabbitConfig {
    ConfigFaults faults = new ConfigFaults();
    RabbitUri.checkAddresses(addresses, faults);
    TrustedCertificates.check(trustedCertificates, faults);
    faults
        .require(!username.isBlank(), "rabbitmq.username", "'" + username + "'", "not blank")
        .require(
            ShortString.fits(virtualHost) && !virtualHost.isEmpty(),
            "rabbitmq.virtual-host",
            "'" + virtualHost + "'",
            "1..255 bytes, / for the default one")
        .require(
            tls || trustedCertificates == null,
            "rabbitmq.trusted-certificates",
            trustedCertificates,
            "none without rabbitmq.tls")
        .require(tls || sslContext == null, "rabbitmq.tls", "false", "true with an SSL context")
        .require(
            trustedCertificates == null || sslContext == null,
            "rabbitmq.trusted-certificates",
            trustedCertificates,
            "none beside an SSL context")
        .require(
            !clientName.isBlank() && clientName.length() <= 200,
            "rabbitmq.client-name",
            "'" + clientName + "'",
            "1..200 characters")
        .range("rabbitmq.channels", channels, 1, 32)
        .range("rabbitmq.window", window, 2, 65_535)
        .range(
            "rabbitmq.confirm-timeout",
            confirmTimeout,
            Duration.ofMillis(500),
            Duration.ofMinutes(2))
        .range("rabbitmq.hold-max", holdMax, Duration.ofMillis(100), Duration.ofMinutes(1))
        .range(
            "rabbitmq.connect-timeout",
            connectTimeout,
            Duration.ofMillis(100),
            Duration.ofMinutes(1))
        .range("rabbitmq.heartbeat", heartbeat, Duration.ofSeconds(1), Duration.ofMinutes(5))
        .throwIfAny();
  }

  /**
   * The defaults for a broker.
   *
   * @param uri {@code host:port}, or {@code amqp://user:password@host:port/virtual-host} with all
   *     but the host optional and {@code amqps} for TLS; several {@code host:port} may stand in its
   *     place, separated by commas. User, password and virtual host are percent-encoded where they
   *     must be
   * @throws io.angarium.ConfigurationException if it is not of that form
   */
  public static RabbitConfig of(String uri) {
    return new RabbitConfig(
            "localhost:5672",
            "guest",
            "guest",
            "/",
            false,
            null,
            null,
            "angarium",
            2,
            2_000,
            Duration.ofSeconds(5),
            Duration.ofSeconds(5),
            Duration.ofSeconds(3),
            Duration.ofSeconds(10))
        .uri(uri);
  }

  /**
   * A copy for what a URI names: the hosts, and user, password, virtual host and TLS as far as they
   * stand in it. Without a scheme TLS stays as it is.
   *
   * @param uri as for {@link #of}; a port that is left out is 5671 with TLS, else 5672
   * @throws io.angarium.ConfigurationException if it is not of that form
   */
  public RabbitConfig uri(String uri) {
    RabbitUri parsed = RabbitUri.parse(uri);
    boolean encrypted = or(parsed.tls(), tls);
    return new RabbitConfig(
        parsed.addresses(encrypted),
        or(parsed.username(), username),
        or(parsed.password(), password),
        or(parsed.virtualHost(), virtualHost),
        encrypted,
        trustedCertificates,
        sslContext,
        clientName,
        channels,
        window,
        confirmTimeout,
        holdMax,
        connectTimeout,
        heartbeat);
  }

  private static <T> T or(@Nullable T named, T standard) {
    return named == null ? standard : named;
  }

  /** A copy with other addresses. */
  public RabbitConfig addresses(String addresses) {
    return new RabbitConfig(
        addresses,
        username,
        password,
        virtualHost,
        tls,
        trustedCertificates,
        sslContext,
        clientName,
        channels,
        window,
        confirmTimeout,
        holdMax,
        connectTimeout,
        heartbeat);
  }

  /** A copy with another user. */
  public RabbitConfig username(String username) {
    return new RabbitConfig(
        addresses,
        username,
        password,
        virtualHost,
        tls,
        trustedCertificates,
        sslContext,
        clientName,
        channels,
        window,
        confirmTimeout,
        holdMax,
        connectTimeout,
        heartbeat);
  }

  /** A copy with another password. */
  public RabbitConfig password(String password) {
    return new RabbitConfig(
        addresses,
        username,
        password,
        virtualHost,
        tls,
        trustedCertificates,
        sslContext,
        clientName,
        channels,
        window,
        confirmTimeout,
        holdMax,
        connectTimeout,
        heartbeat);
  }

  /** A copy with another virtual host. */
  public RabbitConfig virtualHost(String virtualHost) {
    return new RabbitConfig(
        addresses,
        username,
        password,
        virtualHost,
        tls,
        trustedCertificates,
        sslContext,
        clientName,
        channels,
        window,
        confirmTimeout,
        holdMax,
        connectTimeout,
        heartbeat);
  }

  /** A copy with or without TLS. */
  public RabbitConfig tls(boolean tls) {
    return new RabbitConfig(
        addresses,
        username,
        password,
        virtualHost,
        tls,
        trustedCertificates,
        sslContext,
        clientName,
        channels,
        window,
        confirmTimeout,
        holdMax,
        connectTimeout,
        heartbeat);
  }

  /** A copy that trusts others, for a config with TLS; null for those that this JVM trusts. */
  public RabbitConfig trusting(@Nullable Path trustedCertificates) {
    return new RabbitConfig(
        addresses,
        username,
        password,
        virtualHost,
        tls,
        trustedCertificates,
        sslContext,
        clientName,
        channels,
        window,
        confirmTimeout,
        holdMax,
        connectTimeout,
        heartbeat);
  }

  /** A copy with another SSL context, for a config with TLS; null for none. */
  public RabbitConfig sslContext(@Nullable SSLContext sslContext) {
    return new RabbitConfig(
        addresses,
        username,
        password,
        virtualHost,
        tls,
        trustedCertificates,
        sslContext,
        clientName,
        channels,
        window,
        confirmTimeout,
        holdMax,
        connectTimeout,
        heartbeat);
  }

  /** A copy with another name of the connection. */
  public RabbitConfig clientName(String clientName) {
    return new RabbitConfig(
        addresses,
        username,
        password,
        virtualHost,
        tls,
        trustedCertificates,
        sslContext,
        clientName,
        channels,
        window,
        confirmTimeout,
        holdMax,
        connectTimeout,
        heartbeat);
  }

  /** A copy with another number of channels. */
  public RabbitConfig channels(int channels) {
    return new RabbitConfig(
        addresses,
        username,
        password,
        virtualHost,
        tls,
        trustedCertificates,
        sslContext,
        clientName,
        channels,
        window,
        confirmTimeout,
        holdMax,
        connectTimeout,
        heartbeat);
  }

  /** A copy with another window. */
  public RabbitConfig window(int window) {
    return new RabbitConfig(
        addresses,
        username,
        password,
        virtualHost,
        tls,
        trustedCertificates,
        sslContext,
        clientName,
        channels,
        window,
        confirmTimeout,
        holdMax,
        connectTimeout,
        heartbeat);
  }

  /** A copy with another confirm timeout. */
  public RabbitConfig confirmTimeout(Duration confirmTimeout) {
    return new RabbitConfig(
        addresses,
        username,
        password,
        virtualHost,
        tls,
        trustedCertificates,
        sslContext,
        clientName,
        channels,
        window,
        confirmTimeout,
        holdMax,
        connectTimeout,
        heartbeat);
  }

  /** A copy with another longest time of waiting. */
  public RabbitConfig holdMax(Duration holdMax) {
    return new RabbitConfig(
        addresses,
        username,
        password,
        virtualHost,
        tls,
        trustedCertificates,
        sslContext,
        clientName,
        channels,
        window,
        confirmTimeout,
        holdMax,
        connectTimeout,
        heartbeat);
  }

  /** A copy with another connect timeout. */
  public RabbitConfig connectTimeout(Duration connectTimeout) {
    return new RabbitConfig(
        addresses,
        username,
        password,
        virtualHost,
        tls,
        trustedCertificates,
        sslContext,
        clientName,
        channels,
        window,
        confirmTimeout,
        holdMax,
        connectTimeout,
        heartbeat);
  }

  /** A copy with another heartbeat. */
  public RabbitConfig heartbeat(Duration heartbeat) {
    return new RabbitConfig(
        addresses,
        username,
        password,
        virtualHost,
        tls,
        trustedCertificates,
        sslContext,
        clientName,
        channels,
        window,
        confirmTimeout,
        holdMax,
        connectTimeout,
        heartbeat);
  }

  /** Everything but the password. */
  @Override
  public String toString() {
    return "RabbitConfig[addresses=%s, username=%s, virtualHost=%s, tls=%s, trustedCertificates=%s, sslContext=%s, clientName=%s, channels=%d, window=%d, confirmTimeout=%s, holdMax=%s, connectTimeout=%s, heartbeat=%s]"
        .formatted(
            addresses,
            username,
            virtualHost,
            tls,
            trustedCertificates,
            sslContext == null ? "none" : "own",
            clientName,
            channels,
            window,
            confirmTimeout,
            holdMax,
            connectTimeout,
            heartbeat);
  }
}
