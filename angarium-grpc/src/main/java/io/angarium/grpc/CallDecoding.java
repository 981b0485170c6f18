package io.angarium.grpc;

import io.angarium.Headers;
import io.angarium.InvalidMessageException;
import io.angarium.Message;
import io.angarium.grpc.v1.HalfWire;
import io.angarium.half.HalfCall;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessage;
import io.angarium.half.WhenUnknown;
import java.net.URI;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads calls that may come from any client. */
final class CallDecoding {
  private CallDecoding() {}

  /**
   * Reads calls.
   *
   * @throws InvalidMessageException naming the first that is malformed
   */
  static List<HalfCall> calls(List<HalfWire.Call> encoded) {
    requireFew("calls", encoded.size());
    List<HalfCall> calls = new ArrayList<>(encoded.size());
    for (HalfWire.Call each : encoded) {
      try {
        calls.add(call(each));
      } catch (InvalidMessageException e) {
        throw new InvalidMessageException("calls[" + calls.size() + "]: " + e.getMessage());
      }
    }
    return calls;
  }

  /**
   * Reads keys.
   *
   * @throws InvalidMessageException naming the first that is malformed
   */
  static List<HalfKey> keys(List<HalfWire.Key> encoded) {
    requireFew("keys", encoded.size());
    return encoded.stream().map(CallDecoding::key).toList();
  }

  private static void requireFew(String name, int count) {
    if (count > GrpcHalfConfig.CALLS_MAX) {
      throw new InvalidMessageException(
          name
              + ": "
              + count
              + " (expected: at most "
              + GrpcHalfConfig.CALLS_MAX
              + " in a request)");
    }
  }

  private static HalfCall call(HalfWire.Call call) {
    return switch (call.getStepCase()) {
      case PREPARE -> prepare(call.getPrepare());
      case COMMIT -> commit(call.getCommit());
      case ROLLBACK -> rollback(call.getRollback());
      case STEP_NOT_SET ->
          throw new InvalidMessageException(
              "step: none that is known here (expected: prepare, commit or rollback)");
    };
  }

  static HalfCall commit(HalfWire.Decision decision) {
    return new HalfCall.Commit(key(decision.hasKey(), decision.getKey()), whenUnknown(decision));
  }

  static HalfCall rollback(HalfWire.Decision decision) {
    return new HalfCall.Rollback(key(decision.hasKey(), decision.getKey()), whenUnknown(decision));
  }

  private static WhenUnknown whenUnknown(HalfWire.Decision decision) {
    return Codes.whenUnknown(decision.getWhenUnknown())
        .orElseThrow(
            () ->
                new InvalidMessageException(
                    "when_unknown: "
                        + decision.getWhenUnknownValue()
                        + " (expected: WHEN_UNKNOWN_REFUSE = 1 or WHEN_UNKNOWN_REMEMBER = 2)"));
  }

  static HalfCall prepare(HalfWire.HalfMessage encoded) {
    HalfKey key = key(encoded.hasKey(), encoded.getKey());
    Message message =
        Message.of(encoded.getDestination(), encoded.getPayload().toByteArray())
            .key(encoded.hasMessageKey() ? encoded.getMessageKey() : null)
            .type(encoded.hasMessageType() ? encoded.getMessageType() : null)
            .createdBy(encoded.hasCreatedBy() ? encoded.getCreatedBy() : null)
            .headers(headers(encoded.getHeadersList()))
            .notBefore(encoded.hasNotBefore() ? instant(encoded) : null);
    if (encoded.hasBusiness()) {
      message = message.business(encoded.getBusiness().getType(), encoded.getBusiness().getKey());
    }
    return new HalfCall.Prepare(new HalfMessage(key, message, delay(encoded), checkBack(encoded)));
  }

  private static Headers headers(List<HalfWire.Header> encoded) {
    Map<String, String> headers = new LinkedHashMap<>();
    for (HalfWire.Header header : encoded) {
      if (headers.put(header.getName(), header.getValue()) != null) {
        throw new InvalidMessageException(
            "header '" + header.getName() + "': twice (expected: each name once)");
      }
    }
    return Headers.of(headers);
  }

  private static Instant instant(HalfWire.HalfMessage encoded) {
    try {
      return Instant.ofEpochSecond(
          encoded.getNotBefore().getSeconds(), encoded.getNotBefore().getNanos());
    } catch (DateTimeException | ArithmeticException e) {
      throw new InvalidMessageException("not_before: no time (" + e.getMessage() + ")");
    }
  }

  private static Duration delay(HalfWire.HalfMessage encoded) {
    try {
      return Duration.ofSeconds(encoded.getDelay().getSeconds(), encoded.getDelay().getNanos());
    } catch (ArithmeticException e) {
      throw new InvalidMessageException("delay: too long (expected: at most 366 days)");
    }
  }

  private static @Nullable URI checkBack(HalfWire.HalfMessage encoded) {
    try {
      return encoded.hasCheckBack() ? URI.create(encoded.getCheckBack()) : null;
    } catch (IllegalArgumentException e) {
      throw new InvalidMessageException(
          "check_back: '" + encoded.getCheckBack() + "' (expected: an address with a scheme)");
    }
  }

  private static HalfKey key(boolean given, HalfWire.Key key) {
    if (!given) {
      throw new InvalidMessageException("key: not given (expected: a business and a key)");
    }
    return key(key);
  }

  private static HalfKey key(HalfWire.Key key) {
    return key(key.getBusiness(), key.getKey());
  }

  /**
   * A key from a stranger.
   *
   * @throws InvalidMessageException if it is none
   */
  static HalfKey key(String business, String key) {
    try {
      return new HalfKey(business, key);
    } catch (IllegalArgumentException e) {
      throw new InvalidMessageException(String.valueOf(e.getMessage()));
    }
  }
}
