package io.angarium.rocketmq;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.util.List;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageBatch;
import org.apache.rocketmq.common.message.MessageClientIDSetter;
import org.apache.rocketmq.common.message.MessageConst;

/**
 * Makes requests of messages. The client would make one of many messages from a map of properties
 * for each, which it asks many times and copies; here the body of the request is written at once,
 * in the form that the protocol has for it (SEND_BATCH_MESSAGE). Each message gets an id of the
 * client's kind, as it gives one itself: consumers know it as {@code msgId}.
 */
final class RequestEncoding {
  private static final int UNUSED = 0;

  /** Of one message: its size, three numbers that are not used, and the size of its payload. */
  private static final int HEAD_BYTES = 5 * Integer.BYTES;

  private static final String CLIENT_ID = MessageConst.PROPERTY_UNIQ_CLIENT_MESSAGE_ID_KEYIDX;

  private RequestEncoding() {}

  static Message request(List<Attempt> attempts) {
    Attempt first = attempts.get(0);
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

  private static byte[] body(List<Attempt> attempts) {
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

  private static byte[] properties(Attempt attempt) {
    String id = MessageClientIDSetter.createUniqID();
    return (attempt.properties + MessageEncoding.property(CLIENT_ID, id)).getBytes(UTF_8);
  }

  private static int bytes(Attempt attempt, byte[] properties) {
    int payload = MessageEncoding.body(attempt.message.message()).length;
    return HEAD_BYTES + payload + Short.BYTES + properties.length;
  }

  private static void put(ByteBuffer body, Attempt attempt, byte[] properties) {
    byte[] payload = MessageEncoding.body(attempt.message.message());
    body.putInt(bytes(attempt, properties));
    body.putInt(UNUSED).putInt(UNUSED).putInt(UNUSED);
    body.putInt(payload.length).put(payload);
    body.putShort((short) properties.length).put(properties);
  }
}
