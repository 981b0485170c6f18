package io.angarium.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.concurrent.TimeUnit;

/** Files of PEM with a certificate for 127.0.0.1 that nobody trusts who does not know it. */
final class Certificates {
  private static final String PASSWORD = "for-this-test";

  private Certificates() {}

  /** Writes {@code certificate.pem} and {@code key.pem}. */
  static void write(Path folder) throws Exception {
    KeyStore keys = keys(folder.resolve("keys.p12"));
    Files.writeString(
        folder.resolve("certificate.pem"),
        pem("CERTIFICATE", keys.getCertificate("server").getEncoded()));
    Files.writeString(
        folder.resolve("key.pem"),
        pem("PRIVATE KEY", keys.getKey("server", PASSWORD.toCharArray()).getEncoded()));
  }

  private static KeyStore keys(Path file) throws Exception {
    String keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
    String arguments =
        "-genkeypair -alias server -keyalg EC -dname CN=localhost -ext san=ip:127.0.0.1 -validity 2"
            + " -storetype PKCS12 -storepass %s -keystore %s".formatted(PASSWORD, file);
    Process process =
        new ProcessBuilder((keytool + " " + arguments).split(" "))
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).as(output).isZero();
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream stored = Files.newInputStream(file)) {
      keys.load(stored, PASSWORD.toCharArray());
    }
    return keys;
  }

  private static String pem(String kind, byte[] encoded) {
    String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(encoded);
    return "-----BEGIN " + kind + "-----\n" + base64 + "\n-----END " + kind + "-----\n";
  }
}
