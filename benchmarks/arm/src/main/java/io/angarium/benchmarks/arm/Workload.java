package io.angarium.benchmarks.arm;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * The messages one thread of several sends. No two threads share a key, so that the order of a
 * key's commits is known. Not thread-safe.
 */
public final class Workload {
  private static final int NUMBER_CHARACTERS = 16;
  private static final int NOISES = 64;

  private final Shape shape;
  private final int thread;
  private final int threads;
  private final byte[][] noise = new byte[NOISES][];
  private long next;

  /**
   * What the messages look like.
   *
   * @param keys over how many keys they are spread; 0 for messages without one
   * @param payloadBytes of each, at least 16
   * @param poisonPercent of the keys whose messages cannot be sent
   */
  public record Shape(int keys, int payloadBytes, int poisonPercent) {
    Line write(Line line) {
      return line.with("keys", keys).with("payload", payloadBytes).with("poison", poisonPercent);
    }

    static Shape of(Line line) {
      return new Shape(
          (int) line.number("keys"), (int) line.number("payload"), (int) line.number("poison"));
    }
  }

  /**
   * @param first number of the first message of all threads
   */
  Workload(Shape shape, int thread, int threads, long first) {
    this.shape = shape;
    this.thread = thread;
    this.threads = threads;
    this.next = first + thread;
    Random random = new Random(thread);
    for (int i = 0; i < NOISES; i++) {
      noise[i] = noise(random, shape.payloadBytes());
    }
  }

  /** Printable characters that hardly compress. */
  private static byte[] noise(Random random, int bytes) {
    byte[] noise = new byte[bytes];
    for (int i = 0; i < bytes; i++) {
      noise[i] = (byte) (random.nextInt(26) + (random.nextBoolean() ? 'a' : 'A'));
    }
    return noise;
  }

  List<Outgoing> take(int count) {
    List<Outgoing> messages = new ArrayList<>(count);
    for (int i = 0; i < count; i++, next += threads) {
      messages.add(message(next));
    }
    return messages;
  }

  private Outgoing message(long number) {
    long key = key(number);
    boolean poison = key >= 0 && key % 100 < shape.poisonPercent();
    return new Outgoing(number, key < 0 ? null : "key-" + key, payload(number), poison);
  }

  /** The key of a number, so that each key belongs to one thread; -1 for none. */
  private long key(long number) {
    if (shape.keys() == 0) {
      return -1;
    }
    int ofThread = Math.max(1, shape.keys() / threads);
    return number / threads % ofThread * threads + thread;
  }

  private byte[] payload(long number) {
    byte[] payload = noise[(int) (number / threads % NOISES)].clone();
    Arrays.fill(payload, 0, NUMBER_CHARACTERS, (byte) ' ');
    byte[] digits = Long.toString(number).getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(digits, 0, payload, 0, digits.length);
    return payload;
  }

  /** The number a payload begins with; quotes a library put around it are skipped. */
  public static long number(byte[] payload) {
    int at = payload[0] == '"' ? 1 : 0;
    long number = 0;
    for (; payload[at] != ' '; at++) {
      number = number * 10 + payload[at] - '0';
    }
    return number;
  }
}
