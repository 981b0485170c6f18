package io.angarium.rabbitmq;

import io.angarium.ConfigFaults;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.NoSuchAlgorithmException;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Whom a connection with TLS trusts. */
final class TrustedCertificates {
  private TrustedCertificates() {}

  /** Reads the file, as only that tells whether it holds certificates. */
  static void check(@Nullable Path file, ConfigFaults faults) {
    if (file == null) {
      return;
    }
    try {
      read(file);
    } catch (IOException | CertificateException e) {
      faults.require(
          false, "rabbitmq.trusted-certificates", file, "a file of PEM with certificates; " + e);
    }
  }

  private static Collection<? extends Certificate> read(Path file)
      throws IOException, CertificateException {
    try (InputStream pem = new BufferedInputStream(Files.newInputStream(file))) {
      Collection<? extends Certificate> all =
          CertificateFactory.getInstance("X.509").generateCertificates(pem);
      if (all.isEmpty()) {
        throw new CertificateException("there is none in it");
      }
      return all;
    }
  }

  /**
   * The context of connections.
   *
   * @param file null for those that this JVM trusts
   * @throws IllegalStateException if this JVM has no TLS, or the file was changed meanwhile and
   *     cannot be read any more
   */
  static SSLContext context(@Nullable Path file) {
    try {
      return file == null ? SSLContext.getDefault() : trusting(read(file));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this JVM has no TLS", e);
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException("cannot trust the certificates in " + file, e);
    }
  }

  private static SSLContext trusting(Collection<? extends Certificate> certificates)
      throws IOException, GeneralSecurityException {
    KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
    trusted.load(null, null);
    int number = 0;
    for (Certificate certificate : certificates) {
      trusted.setCertificateEntry("trusted-" + number++, certificate);
    }
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }
}
