package io.angarium.kafka;

import java.security.KeyStore;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import org.apache.kafka.common.config.SslConfigs;
import org.apache.kafka.common.security.auth.SslEngineFactory;
import org.jspecify.annotations.Nullable;

/**
 * Makes the TLS engines of Kafka's clients from {@link KafkaConfig#sslContext}. Public only because
 * Kafka's clients create it by its name; applications set the context instead. Not thread-safe: one
 * thread at a time.
 */
public final class SslContextEngines implements SslEngineFactory {
  private static final String CONTEXT = "angarium.ssl.context";

  private @Nullable SSLContext context;
  private String @Nullable [] protocols;
  private String @Nullable [] cipherSuites;

  /** Creates a factory; Kafka's clients configure it. */
  public SslContextEngines() {}

  /** Adds what a client needs for the context of a config, if it has one. */
  public static void addTo(Map<String, Object> settings, KafkaConfig config) {
    SSLContext context = config.sslContext();
    if (context != null) {
      settings.put(SslConfigs.SSL_ENGINE_FACTORY_CLASS_CONFIG, SslContextEngines.class);
      settings.put(CONTEXT, context);
    }
  }

  @Override
  public void configure(Map<String, ?> configs) {
    context = (SSLContext) configs.get(CONTEXT);
    protocols = array(configs.get(SslConfigs.SSL_ENABLED_PROTOCOLS_CONFIG));
    cipherSuites = array(configs.get(SslConfigs.SSL_CIPHER_SUITES_CONFIG));
  }

  private static String @Nullable [] array(@Nullable Object list) {
    return list instanceof List<?> names && !names.isEmpty()
        ? names.stream().map(Object::toString).toArray(String[]::new)
        : null;
  }

  @Override
  public SSLEngine createClientSslEngine(String host, int port, String endpointIdentification) {
    SSLEngine engine = Objects.requireNonNull(context, CONTEXT).createSSLEngine(host, port);
    engine.setUseClientMode(true);
    SSLParameters parameters = engine.getSSLParameters();
    if (protocols != null) {
      parameters.setProtocols(protocols);
    }
    if (cipherSuites != null) {
      parameters.setCipherSuites(cipherSuites);
    }
    parameters.setEndpointIdentificationAlgorithm(endpointIdentification);
    engine.setSSLParameters(parameters);
    return engine;
  }

  /** Not supported: only clients use this factory. */
  @Override
  public SSLEngine createServerSslEngine(String host, int port) {
    throw new UnsupportedOperationException("Only Kafka clients use " + getClass().getName());
  }

  @Override
  public boolean shouldBeRebuilt(Map<String, Object> configs) {
    return false;
  }

  @Override
  public Set<String> reconfigurableConfigs() {
    return Set.of();
  }

  @Override
  public @Nullable KeyStore keystore() {
    return null;
  }

  @Override
  public @Nullable KeyStore truststore() {
    return null;
  }

  @Override
  public void close() {}
}
