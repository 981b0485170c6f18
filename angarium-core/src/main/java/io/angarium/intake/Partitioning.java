package io.angarium.intake;

import io.angarium.ConfigFaults;
import io.angarium.Destination;
import java.nio.charset.StandardCharsets;

/**
 * How messages are spread over partitions: those with a key by a hash of destination and key over
 * {@code 0..keyed-1}, those without over {@code -keyless..-1}. Fixed for the life of a database:
 * changing it would break the order of keys. Immutable.
 *
 * @param keyed number of partitions for messages with a key, 1..1024; default 64
 * @param keyless number of partitions for messages without a key, 1..256; default 16
 */
public record Partitioning(int keyed, int keyless) {
  /** 64 partitions with and 16 without key. */
  public static final Partitioning DEFAULTS = new Partitioning(64, 16);

  private static final long FNV_OFFSET = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;

  /** Checks the ranges. */
  public Partitioning {
    new ConfigFaults()
        .range("partitions.keyed", keyed, 1, 1024)
        .range("partitions.keyless", keyless, 1, 256)
        .throwIfAny();
  }

  /** The partition of a key hash, {@code 0..keyed-1}. */
  public int ofKeyHash(long keyHash) {
    return (int) ((keyHash & Long.MAX_VALUE) % keyed);
  }

  /** The partition for a keyless message, {@code -keyless..-1}, chosen by {@code random}. */
  public int ofKeyless(long random) {
    return -1 - (int) ((random & Long.MAX_VALUE) % keyless);
  }

  /** True if {@code partition} holds messages with a key, whose order matters. */
  public static boolean isKeyed(int partition) {
    return partition >= 0;
  }

  /** All partitions, lowest first. */
  public int[] all() {
    int[] partitions = new int[keyed + keyless];
    for (int i = 0; i < partitions.length; i++) {
      partitions[i] = i - keyless;
    }
    return partitions;
  }

  /**
   * The 64-bit hash under which a destination and key are kept in order: FNV-1a (Fowler, Noll, Vo)
   * over the UTF-8 bytes of destination, a zero byte and key, finished with the mixer of
   * MurmurHash3 (Appleby). Part of the table format: it must never change.
   */
  public static long keyHash(Destination destination, String key) {
    long hash = FNV_OFFSET;
    if (!destination.transport().isEmpty()) { // the bytes of the text form, without making it
      hash = fnv1a(fnv1a(hash, destination.transport()), ":");
    }
    hash = fnv1a(hash, destination.address()) * FNV_PRIME; // the zero byte between the two
    return mix(fnv1a(hash, key));
  }

  /** The 64-bit FNV-1a hash of a text's UTF-8 bytes. */
  public static long hash(String text) {
    return fnv1a(FNV_OFFSET, text);
  }

  private static long fnv1a(long seed, String text) {
    long hash = seed;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= 0x80) {
        return fnv1a(hash, text.substring(i).getBytes(StandardCharsets.UTF_8));
      }
      hash = (hash ^ c) * FNV_PRIME; // its own and only byte
    }
    return hash;
  }

  private static long fnv1a(long seed, byte[] bytes) {
    long hash = seed;
    for (byte b : bytes) {
      hash = (hash ^ (b & 0xff)) * FNV_PRIME;
    }
    return hash;
  }

  /** The finishing mixer of MurmurHash3 for 64 bits. */
  public static long mix(long hash) {
    long h = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
    h = (h ^ (h >>> 33)) * 0xc4ceb9fe1a85ec53L;
    return h ^ (h >>> 33);
  }
}
