package io.angarium.console;

import io.angarium.console.access.KeyAccess;
import io.angarium.console.access.KeyAccess.HashedKey;
import io.angarium.console.access.KeyHash;
import io.angarium.console.access.Operator;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.stream.Stream;

/** Operators who show their name as their key. */
final class TestKeys {
  private TestKeys() {}

  static KeyAccess of(Operator... operators) {
    return new KeyAccess(Stream.of(operators).map(TestKeys::key).toList());
  }

  private static HashedKey key(Operator operator) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256")
              .digest(operator.name().getBytes(StandardCharsets.UTF_8));
      return new HashedKey(new KeyHash("sha256:" + HexFormat.of().formatHex(hash)), operator);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
