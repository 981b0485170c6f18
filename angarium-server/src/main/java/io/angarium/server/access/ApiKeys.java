package io.angarium.server.access;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.angarium.TimeSource;
import io.angarium.server.settings.ServerProperties;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The API keys that are known, by their hashes. A key is 256 random bits, so its SHA-256 tells
 * nothing about it, and no slow hash is needed. Thread-safe.
 */
public final class ApiKeys {
  private static final String SHA256 = "sha256:";
  private static final Pattern HASH = Pattern.compile(SHA256 + "[0-9a-f]{64}");

  @SuppressWarnings("ArrayRecordComponent") // never compared by equals
  private record Known(byte[] hash, Caller caller) {}

  private final List<Known> known = new ArrayList<>();

  public ApiKeys(ServerProperties properties, TimeSource time) {
    properties
        .apiKeys()
        .forEach(
            (name, key) -> {
              Caller caller = Caller.of(name, key, time);
              for (String hash : key.hashes()) {
                byte[] bytes = HexFormat.of().parseHex(hash.substring(SHA256.length()));
                known.add(new Known(bytes, caller));
              }
            });
  }

  public static boolean isHash(String text) {
    return HASH.matcher(text).matches();
  }

  /** False if there are none: then nobody is asked for one. */
  boolean any() {
    return !known.isEmpty();
  }

  /** Whose key this is. Takes as long for a wrong one as for a right one. */
  public Optional<Caller> callerOf(String apiKey) {
    byte[] hash = sha256(apiKey);
    Caller found = null;
    for (Known each : known) {
      if (MessageDigest.isEqual(each.hash(), hash)) {
        found = each.caller();
      }
    }
    return Optional.ofNullable(found);
  }

  private static byte[] sha256(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
