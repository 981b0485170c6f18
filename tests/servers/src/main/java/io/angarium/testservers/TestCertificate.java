package io.angarium.testservers;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A certificate for {@code 127.0.0.1}, and for no name, that nobody trusts who does not know it:
 * who calls the server {@code localhost} meets a wrong name. Immutable.
 */
public final class TestCertificate {
  private static final String PASSWORD = "only-for-this-test";
  private static final String ALIAS = "server";

  private final Path folder;
  private final KeyStore keys;

  private TestCertificate(Path folder, KeyStore keys) {
    this.folder = folder;
    this.keys = keys;
  }

  /**
   * Makes one, valid for two days, and the files that servers and clients read. Takes about a
   * second.
   *
   * @param folder an empty one that exists; two certificates need two
   */
  public static TestCertificate in(Path folder) {
    Path store = folder.resolve("keys.p12");
    generate(folder, store);
    try (InputStream stored = Files.newInputStream(store)) {
      KeyStore keys = KeyStore.getInstance("PKCS12");
      keys.load(stored, PASSWORD.toCharArray());
      TestCertificate made = new TestCertificate(folder, keys);
      made.writePem();
      return made;
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException("No certificate could be made in " + folder, e);
    }
  }

  private static void generate(Path folder, Path store) {
    String keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
    List<String> command =
        List.of(
            keytool,
            "-genkeypair",
            "-alias",
            ALIAS,
            "-keyalg",
            "EC",
            "-validity",
            "2",
            "-dname",
            "CN=server",
            "-ext",
            "san=ip:127.0.0.1",
            "-storetype",
            "PKCS12",
            "-storepass",
            PASSWORD,
            "-keystore",
            store.toString());
    Shell.run(folder, Duration.ofMinutes(1), command);
  }

  private void writePem() throws IOException, GeneralSecurityException {
    Key key = keys.getKey(ALIAS, PASSWORD.toCharArray());
    Files.writeString(certificate(), pem("CERTIFICATE", keys.getCertificate(ALIAS).getEncoded()));
    Files.writeString(privateKey(), pem("PRIVATE KEY", key.getEncoded()));
  }

  private static String pem(String kind, byte[] encoded) {
    String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(encoded);
    return "-----BEGIN " + kind + "-----\n" + base64 + "\n-----END " + kind + "-----\n";
  }

  /** The certificate as a file of PEM; who trusts that trusts the server. */
  public Path certificate() {
    return folder.resolve("certificate.pem");
  }

  /** The key as a file of PEM, in PKCS#8 and without a password. */
  public Path privateKey() {
    return folder.resolve("key.pem");
  }

  /** Certificate and key as a file of PKCS#12. */
  public Path keyStore() {
    return folder.resolve("keys.p12");
  }

  /** Of {@link #keyStore()}. */
  public String password() {
    return PASSWORD;
  }

  /** For the server, and for those who trust it. */
  public SSLContext context() {
    try {
      KeyManagerFactory own = KeyManagerFactory.getInstance("PKIX");
      own.init(keys, PASSWORD.toCharArray());
      TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
      trust.init(trusted());
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(own.getKeyManagers(), trust.getTrustManagers(), null);
      return context;
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException("No TLS with the certificate in " + folder, e);
    }
  }

  /** Options of a JVM that trusts this certificate and no other, by a file made for it. */
  public List<String> trustingJvm() {
    Path file = folder.resolve("trusted.p12");
    try (OutputStream stored = Files.newOutputStream(file)) {
      trusted().store(stored, PASSWORD.toCharArray());
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException("No file of trust in " + folder, e);
    }
    return List.of(
        "-Djavax.net.ssl.trustStore=" + file,
        "-Djavax.net.ssl.trustStoreType=PKCS12",
        "-Djavax.net.ssl.trustStorePassword=" + PASSWORD);
  }

  private KeyStore trusted() throws IOException, GeneralSecurityException {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry(ALIAS, keys.getCertificate(ALIAS));
    return trusted;
  }
}
