package io.angarium.grpc;

import com.google.protobuf.Duration;
import com.google.protobuf.Timestamp;
import com.google.protobuf.UnsafeByteOperations;
import io.angarium.BusinessKey;
import io.angarium.Message;
import io.angarium.grpc.v1.HalfWire;
import io.angarium.half.HalfCall;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessage;
import io.angarium.half.WhenUnknown;
import java.net.URI;
import java.time.Instant;

/** Calls as they travel; {@link CallDecoding} reads them. */
final class CallEncoding {
  private CallEncoding() {}

  static HalfWire.Call call(HalfCall call) {
    HalfWire.Call.Builder encoded = HalfWire.Call.newBuilder();
    if (call instanceof HalfCall.Prepare prepare) {
      encoded.setPrepare(message(prepare.message()));
    } else if (call instanceof HalfCall.Commit commit) {
      encoded.setCommit(decision(commit.key(), commit.whenUnknown()));
    } else if (call instanceof HalfCall.Rollback rollback) {
      encoded.setRollback(decision(rollback.key(), rollback.whenUnknown()));
    }
    return encoded.build();
  }

  static HalfWire.Key key(HalfKey key) {
    return HalfWire.Key.newBuilder().setBusiness(key.business()).setKey(key.key()).build();
  }

  private static HalfWire.Decision decision(HalfKey key, WhenUnknown whenUnknown) {
    return HalfWire.Decision.newBuilder()
        .setKey(key(key))
        .setWhenUnknown(Codes.of(whenUnknown))
        .build();
  }

  private static HalfWire.HalfMessage message(HalfMessage half) {
    HalfWire.HalfMessage.Builder encoded =
        HalfWire.HalfMessage.newBuilder().setKey(key(half.key()));
    if (!half.delay().isZero()) {
      encoded.setDelay(
          Duration.newBuilder()
              .setSeconds(half.delay().toSeconds())
              .setNanos(half.delay().toNanosPart()));
    }
    URI checkBack = half.checkBack();
    if (checkBack != null) {
      encoded.setCheckBack(checkBack.toString());
    }
    addMessage(encoded, half.message());
    return encoded.build();
  }

  private static void addMessage(HalfWire.HalfMessage.Builder encoded, Message message) {
    encoded
        .setDestination(message.destination().toString())
        .setPayload(UnsafeByteOperations.unsafeWrap(message.payload())); // nobody may change it
    String key = message.key();
    if (key != null) {
      encoded.setMessageKey(key);
    }
    String type = message.type();
    if (type != null) {
      encoded.setMessageType(type);
    }
    String createdBy = message.createdBy();
    if (createdBy != null) {
      encoded.setCreatedBy(createdBy);
    }
    message
        .headers()
        .forEach(
            (name, value) ->
                encoded.addHeaders(HalfWire.Header.newBuilder().setName(name).setValue(value)));
    BusinessKey business = message.business();
    if (business != null) {
      encoded.setBusiness(
          HalfWire.BusinessKey.newBuilder().setType(business.type()).setKey(business.key()));
    }
    Instant notBefore = message.notBefore();
    if (notBefore != null) {
      encoded.setNotBefore(
          Timestamp.newBuilder()
              .setSeconds(notBefore.getEpochSecond())
              .setNanos(notBefore.getNano()));
    }
  }
}
