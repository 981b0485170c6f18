package io.angarium.rocketmq;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.intake.StoredMessage;
import io.angarium.testtransports.Messages;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageBatch;
import org.apache.rocketmq.common.message.MessageConst;
import org.apache.rocketmq.common.message.MessageDecoder;
import org.junit.jupiter.api.Test;

class RocketRequestEncodingTest {
  private static final RocketAddress ADDRESS = new RocketAddress("t", "paid");

  private final StoredMessage full =
      Messages.of(
          io.angarium.Message.of("rocketmq:t:paid", "pâyload".getBytes(UTF_8))
              .key("ключ")
              .type("order-paid")
              .business("order", "№ 1")
              .header("traceparent", "00-1-2-01")
              .header("angarium-type", "not ours")
              .header("empty", ""));
  private final StoredMessage bare =
      Messages.of(io.angarium.Message.of("rocketmq:t:paid", new byte[0]));

  private static RocketAttempt attempt(StoredMessage stored) {
    String properties = MessageEncoding.properties(stored.id(), stored.message(), ADDRESS);
    return new RocketAttempt(
        stored, ADDRESS, properties, (message, result) -> {}, new RocketCaller().call(true), 0);
  }

  private static Message alone(StoredMessage stored) {
    return RocketRequestEncoding.request(List.of(attempt(stored)));
  }

  @Test
  void aMessageAloneHasItsProperties() {
    Message message = alone(full);

    assertThat(message.getTopic()).isEqualTo("t");
    assertThat(message.getTags()).isEqualTo("paid");
    assertThat(message.getKeys()).isEqualTo(full.id() + " ключ");
    assertThat(message.isWaitStoreMsgOK()).isTrue();
    assertThat(message.getProperties())
        .containsEntry("angarium-type", "order-paid")
        .containsEntry("angarium-headers", "angarium-type=not+ours&empty=")
        .containsEntry("traceparent", "00-1-2-01")
        .doesNotContainKey("angarium-empty");
    assertThat(message.getBody()).isEqualTo("pâyload".getBytes(UTF_8));
  }

  @Test
  void messagesTogetherAreReadAsEachAlone() throws Exception {
    Message request = RocketRequestEncoding.request(List.of(attempt(full), attempt(bare)));

    assertThat(request).isInstanceOf(MessageBatch.class);
    assertThat(request.getTopic()).isEqualTo("t");
    List<Message> read = MessageDecoder.decodeMessages(ByteBuffer.wrap(request.getBody()));
    assertThat(read).hasSize(2);
    assertSame(read.get(0), alone(full));
    assertSame(read.get(1), alone(bare));
    assertThat(id(read.get(0))).isNotBlank().isNotEqualTo(id(read.get(1)));
  }

  private static void assertSame(Message read, Message alone) {
    Map<String, String> properties = new HashMap<>(read.getProperties());
    properties.remove(MessageConst.PROPERTY_UNIQ_CLIENT_MESSAGE_ID_KEYIDX);
    assertThat(properties).isEqualTo(alone.getProperties());
    assertThat(read.getBody()).isEqualTo(alone.getBody());
  }

  private static String id(Message message) {
    return message.getProperty(MessageConst.PROPERTY_UNIQ_CLIENT_MESSAGE_ID_KEYIDX);
  }

  @Test
  void messagesTogetherAreEncodedAsTheClientDoes() {
    byte[] ours = RocketRequestEncoding.request(List.of(attempt(full), attempt(full))).getBody();

    List<Message> read = decoded(ours);
    byte[] clients = MessageDecoder.encodeMessages(read);
    assertThat(decoded(clients)).usingRecursiveComparison().isEqualTo(read);
    assertThat(ours.length - clients.length).isBetween(0, 2); // the end of the last property
  }

  private static List<Message> decoded(byte[] body) {
    try {
      return MessageDecoder.decodeMessages(ByteBuffer.wrap(body));
    } catch (Exception e) { // declared so
      throw new AssertionError(e);
    }
  }
}
