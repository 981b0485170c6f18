package io.angarium.redis;

import io.angarium.StoreException;
import io.angarium.TimeSource;
import io.angarium.inbox.ConcurrentDeliveryException;
import io.angarium.inbox.InboxKey;
import io.angarium.inbox.WhenBusy;
import io.angarium.internal.DurationText;
import io.lettuce.core.RedisException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Claims in Redis: taken, given back, and turned into notes. Thread-safe. */
final class RedisClaims {
  private final RedisCalls calls;
  private final RedisKeys names;
  private final RedisInboxConfig config;
  private final TimeSource time;
  private final String owner;
  private final AtomicLong claims = new AtomicLong();

  /**
   * @param owner distinguishes the claims of this inbox from the claims of other inboxes; has a
   *     fixed length
   */
  RedisClaims(RedisCalls calls, RedisInboxConfig config, TimeSource time, String owner) {
    this.calls = calls;
    this.names = new RedisKeys(config.prefix());
    this.config = config;
    this.time = time;
    this.owner = owner;
  }

  /** Claims the keys that are new; the claim is empty if there are none. */
  RedisClaim claim(List<InboxKey> sorted) {
    String id = owner + HexFormat.of().toHexDigits(claims.incrementAndGet());
    List<String> keys = new ArrayList<>(List.of(names.token()));
    keys.addAll(names.of(sorted));
    BusyWait wait = new BusyWait(config, time);
    while (!sorted.isEmpty()) {
      long asked = time.nanoTime();
      List<Object> answer = ask(sorted, keys, id);
      long token = Long.parseLong((String) answer.get(0));
      if (token != 0) {
        return new RedisClaim(token, id, at(sorted, answer), time, asked, config.lease());
      }
      if (config.whenBusy() == WhenBusy.TELL || !wait.again()) {
        throw new ConcurrentDeliveryException(at(sorted, answer).get(0).toString(), null);
      }
    }
    return new RedisClaim(0, id, List.of(), time, time.nanoTime(), config.lease());
  }

  private List<Object> ask(List<InboxKey> sorted, List<String> keys, String id) {
    try {
      return calls.run(Script.CLAIM, keys, id, Long.toString(config.lease().toMillis()));
    } catch (RedisException e) {
      throw new StoreException(
          "Not processed: Redis could not be asked about "
              + text(sorted)
              + ": "
              + reason(e)
              + ". Have it delivered again; if Redis understood, it is busy for "
              + DurationText.of(config.lease()),
          e);
    }
  }

  /** The keys at the places that follow the first part of an answer. */
  private static List<InboxKey> at(List<InboxKey> keys, List<Object> answer) {
    return answer.subList(1, answer.size()).stream()
        .map(place -> keys.get(((Number) place).intValue()))
        .toList();
  }

  /** Gives a claim back after work that threw; that this fails too is added to {@code reason}. */
  void release(RedisClaim claim, Throwable reason) {
    try {
      calls.run(Script.RELEASE, names.of(claim.keys()), claim.processing());
    } catch (RedisException e) {
      reason.addSuppressed(
          new StoreException(
              "The claim could not be given back; "
                  + text(claim.keys())
                  + " stays busy until its lease is over: "
                  + reason(e),
              e));
    }
  }

  /**
   * Notes what was claimed as processed.
   *
   * @throws LostClaimException if the claim was over before
   */
  void finish(RedisClaim claim) {
    List<Object> lost;
    try {
      String retention = Long.toString(config.retention().toMillis());
      lost =
          calls.run(
              Script.FINISH, names.of(claim.keys()), claim.processing(), claim.done(), retention);
    } catch (RedisException e) {
      throw new StoreException(
          "Processed, but not known to be noted: "
              + text(claim.keys())
              + ": "
              + reason(e)
              + ". Have it delivered again: if it was not noted, it is processed again when the"
              + " lease is over",
          e);
    }
    if (!lost.isEmpty()) {
      throw lost(claim, lost);
    }
  }

  private static LostClaimException lost(RedisClaim claim, List<Object> answer) {
    List<InboxKey> keys = new ArrayList<>();
    List<String> texts = new ArrayList<>();
    for (Object each : answer) {
      List<?> pair = (List<?>) each;
      InboxKey key = claim.keys().get(((Number) pair.get(0)).intValue());
      keys.add(key);
      texts.add(key + " (" + fate((String) pair.get(1)) + ")");
    }
    return new LostClaimException(claim.token(), texts, keys);
  }

  private static String fate(String state) {
    return switch (state.charAt(0)) {
      case 'P' -> "being processed by somebody else";
      case 'D' -> "processed by somebody else";
      default -> "claimed by nobody now, and noted as processed";
    };
  }

  private static String text(List<InboxKey> keys) {
    return keys.size() == 1
        ? keys.get(0).toString()
        : keys.size() + " messages, from " + keys.get(0);
  }

  /** What failed, for a person. */
  static String reason(RedisException failure) {
    Throwable cause = failure.getCause();
    return failure.getMessage() + (cause == null ? "" : " (" + cause.getMessage() + ")");
  }
}
