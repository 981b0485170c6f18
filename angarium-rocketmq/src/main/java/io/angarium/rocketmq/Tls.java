package io.angarium.rocketmq;

import io.angarium.ConfigurationException;
import java.io.IOException;
import java.security.cert.CertificateException;
import java.util.List;
import org.apache.rocketmq.remoting.netty.TlsHelper;
import org.apache.rocketmq.remoting.netty.TlsSystemConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** TLS of the client, which is set up by RocketMQ's own system properties for the whole JVM. */
final class Tls {
  private static final Logger LOG = LoggerFactory.getLogger(Tls.class);

  private Tls() {}

  /**
   * Stops the start where the client would only log that TLS cannot be had, and then connect
   * without. Warns where it would encrypt, but not look whom it speaks to.
   *
   * @throws ConfigurationException if TLS is wanted and cannot be had
   */
  static void check(RocketConfig config) {
    if (!config.tls()) {
      return;
    }
    try {
      var unused = TlsHelper.buildSslContext(true); // reads the client's file of properties, too
    } catch (IOException | CertificateException | IllegalArgumentException e) {
      throw new ConfigurationException(
          List.of(
              "rocketmq.tls: true, but %s (expected: readable files in the system properties tls.client.*)"
                  .formatted(e)));
    }
    if (TlsSystemConfig.tlsTestModeEnable || !TlsSystemConfig.tlsClientAuthServer) {
      LOG.warn(
          "Connections to RocketMQ at {} are encrypted, but nobody looks whose certificate it is."
              + " Set -Dtls.test.mode.enable=false -Dtls.client.authServer=true, and"
              + " -Dtls.client.trustCertPath for an issuer of your own.",
          config.nameServers());
    }
  }
}
