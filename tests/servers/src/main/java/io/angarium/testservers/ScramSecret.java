package io.angarium.testservers;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * What PostgreSQL keeps of a password, made with one iteration in the place of 4096: tests open
 * thousands of connections, each of which costs client and server all of them. A password that was
 * drawn at random is as good with one.
 */
final class ScramSecret {
  private static final int SALT_BYTES = 16;

  private ScramSecret() {}

  /** Taken by the server wherever it takes a password; of ASCII only. */
  static String of(String password) {
    byte[] salt = new byte[SALT_BYTES];
    new SecureRandom().nextBytes(salt);
    return of(password, salt);
  }

  /** RFC 5802, section 3. */
  private static String of(String password, byte[] salt) {
    try {
      Mac mac = keyed(password.getBytes(UTF_8));
      mac.update(salt);
      byte[] salted = mac.doFinal(new byte[] {0, 0, 0, 1});
      byte[] client = keyed(salted).doFinal("Client Key".getBytes(UTF_8));
      byte[] stored = MessageDigest.getInstance("SHA-256").digest(client);
      byte[] server = keyed(salted).doFinal("Server Key".getBytes(UTF_8));
      Base64.Encoder text = Base64.getEncoder();
      return "SCRAM-SHA-256$1:%s$%s:%s"
          .formatted(
              text.encodeToString(salt), text.encodeToString(stored), text.encodeToString(server));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("Every JDK has SHA-256", e);
    }
  }

  private static Mac keyed(byte[] key) throws GeneralSecurityException {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(key, "HmacSHA256"));
    return mac;
  }
}
