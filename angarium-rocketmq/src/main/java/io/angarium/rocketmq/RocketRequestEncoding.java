package io.angarium.rocketmq;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.util.List;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageBatch;
import org.apache.rocketmq.common.message.MessageClientIDSetter;
import org.apache.rocketmq.common.message.MessageConst;

/**
 * Encodes messages as requests. For many messages, the client would read and copy a map of
 * properties for each message many times. This class writes the body of the request at once, in the
 * form that the protocol defines for it (SEND_BATCH_MESSAGE). Each message gets an id in the
 * client's format, as it would from the client itself. Consumers know the id as {@code msgId}.
 */
final class RocketRequestEncoding {
  private static final int UNUSED = 0;

  /** Head of one message: its size, three unused numbers, and the size of its payload. */
  private static final int HEAD_BYTES = 5 * Integer.BYTES;

  private static final String CLIENT_ID = MessageConst.PROPERTY_UNIQ_CLIENT_MESSAGE_ID_KEYIDX;

  private RocketRequestEncoding() {}

  static Message request(List<RocketAttempt> attempts) {
    RocketAttempt first = attempts.get(0);
    if (attempts.size() == 1) {
      return MessageEncoding.message(first.message.message(), first.address, first.properties);
    }
    MessageBatch request = new MessageBatch(List.of()); // all of them are in the body
    request.setTopic(first.address.topic());
    request.setWaitStoreMsgOK(true);
    MessageClientIDSetter.setUniqID(request);
    request.setBody(body(attempts));
    return request;
  }

  private static byte[] body(List<RocketAttempt> attempts) {
    byte[][] properties = new byte[attempts.size()][];
    int bytes = 0;
    for (int i = 0; i < properties.length; i++) {
      properties[i] = properties(attempts.get(i));
      bytes += bytes(attempts.get(i), properties[i]);
    }
    ByteBuffer body = ByteBuffer.allocate(bytes);
    for (int i = 0; i < properties.length; i++) {
      put(body, attempts.get(i), properties[i]);
    }
    return body.array();
  }

  private static byte[] properties(RocketAttempt attempt) {
    String id = MessageClientIDSetter.createUniqID();
    return (attempt.properties + MessageEncoding.property(CLIENT_ID, id)).getBytes(UTF_8);
  }

  private static int bytes(RocketAttempt attempt, byte[] properties) {
    int payload = MessageEncoding.body(attempt.message.message()).length;
    return HEAD_BYTES + payload + Short.BYTES + properties.length;
  }

  private static void put(ByteBuffer body, RocketAttempt attempt, byte[] properties) {
    byte[] payload = MessageEncoding.body(attempt.message.message());
    body.putInt(bytes(attempt, properties));
    body.putInt(UNUSED).putInt(UNUSED).putInt(UNUSED);
    body.putInt(payload.length).put(payload);
    body.putShort((short) properties.length).put(properties);
  }
}
