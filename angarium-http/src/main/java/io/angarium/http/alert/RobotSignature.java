package io.angarium.http.alert;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signatures that robots of chats ask for: the Base64 form of HMAC-SHA256. */
final class RobotSignature {
  private static final String ALGORITHM = "HmacSHA256";

  private RobotSignature() {}

  static String sign(String key, String text) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(key.getBytes(UTF_8), ALGORITHM));
      return Base64.getEncoder().encodeToString(mac.doFinal(text.getBytes(UTF_8)));
    } catch (GeneralSecurityException e) { // every JVM has it
      throw new IllegalStateException(ALGORITHM + " is not there", e);
    }
  }
}
