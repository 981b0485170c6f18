package io.angarium.testkit.tck;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.Message;
import io.angarium.half.HalfCall;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessage;
import io.angarium.half.Refusal;
import io.angarium.half.RefusedStepException;
import io.angarium.half.WhenUnknown;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** What the tests of half messages say again and again. */
record HalfScene(HalfMessagesFixture fixture) {
  static final HalfKey KEY = key("1");

  static HalfKey key(String key) {
    return new HalfKey("order", key);
  }

  /** A message whose payload is the key. */
  static HalfMessage message(HalfKey key) {
    return message(key, key.key());
  }

  static HalfMessage message(HalfKey key, String payload) {
    return HalfMessage.of(key, Message.of("kafka:orders", payload.getBytes(UTF_8)));
  }

  static HalfCall prepare(HalfKey key) {
    return new HalfCall.Prepare(message(key));
  }

  static HalfCall commit(HalfKey key) {
    return new HalfCall.Commit(key, WhenUnknown.REFUSE);
  }

  static HalfCall rollback(HalfKey key) {
    return new HalfCall.Rollback(key, WhenUnknown.REFUSE);
  }

  static void assertRefused(Refusal refusal, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(RefusedStepException.class)
        .hasMessageContaining(refusal.name())
        .extracting(e -> ((RefusedStepException) e).refusal())
        .isEqualTo(refusal);
  }

  /** The payloads of what is on its way. */
  List<String> sent() {
    return fixture.sent().stream().map(message -> new String(message.payload(), UTF_8)).toList();
  }
}
