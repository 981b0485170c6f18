package io.angarium.benchmarks;

import io.angarium.Message;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;

/**
 * The messages of a run: each belongs to one of many keys and carries the number it has within its
 * key. Immutable.
 *
 * @param messages how many
 * @param keys over how many keys they are spread
 * @param payloadBytes size of each payload, at least 16
 */
record Workload(int messages, int keys, int payloadBytes) {
  String key(int i) {
    return "key-" + i % keys;
  }

  /** Starts with the number within the key, then fills up with noise that does not compress. */
  byte[] payload(int i) {
    byte[] payload = new byte[payloadBytes];
    new Random(i).nextBytes(payload);
    Arrays.fill(payload, 0, 16, (byte) ' ');
    byte[] number = Integer.toString(i / keys).getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(number, 0, payload, 0, number.length);
    return payload;
  }

  static int number(byte[] payload) {
    return Integer.parseInt(new String(payload, 0, 16, StandardCharsets.US_ASCII).trim());
  }

  Message message(String topic, int i) {
    return Message.of("kafka:" + topic, payload(i)).key(key(i));
  }
}
