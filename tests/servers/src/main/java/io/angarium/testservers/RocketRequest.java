package io.angarium.testservers;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A request to a name server or broker of RocketMQ in its own protocol: the length of all, the
 * length of the header, the header as JSON, the body. So that no client library of RocketMQ reaches
 * the class path of the code under test.
 *
 * @param code what is asked for
 * @param fields its parameters; texts that need no escape in JSON
 */
record RocketRequest(int code, Map<String, String> fields, String body) {
  /** What came back; {@code code} is 0 when all went well, else {@code remark} says why not. */
  record Answer(int code, String remark, String body) {}

  /** Long, for a machine that is busy. */
  private static final int LIMIT_MILLIS = 60_000;

  private static final int BYTES_MAX = 16 * 1024 * 1024;
  private static final Pattern CODE = Pattern.compile("\"code\":(\\d+)");
  private static final Pattern REMARK = Pattern.compile("\"remark\":\"([^\"]*)\"");

  /** Which brokers the name server knows. */
  static RocketRequest brokers() {
    return new RocketRequest(106, Map.of(), "");
  }

  /** How a broker is; any answer says that it runs. */
  static RocketRequest ping() {
    return new RocketRequest(28, Map.of(), "");
  }

  /** On which brokers a topic is. */
  static RocketRequest route(String topic) {
    return new RocketRequest(105, Map.of("topic", topic), "");
  }

  /** Makes the broker register with its name server now, together with all its topics. */
  static RocketRequest register() {
    return new RocketRequest(25, Map.of(), "brokerPermission=6\n");
  }

  static RocketRequest createTopic(String topic, int queues, String attributes) {
    Map<String, String> fields =
        Map.ofEntries(
            Map.entry("topic", topic),
            Map.entry("defaultTopic", "TBW102"),
            Map.entry("readQueueNums", Integer.toString(queues)),
            Map.entry("writeQueueNums", Integer.toString(queues)),
            Map.entry("perm", "6"),
            Map.entry("topicFilterType", "SINGLE_TAG"),
            Map.entry("topicSysFlag", "0"),
            Map.entry("order", "false"),
            Map.entry("attributes", attributes));
    return new RocketRequest(17, fields, "");
  }

  static RocketRequest deleteTopicFromBroker(String topic) {
    return new RocketRequest(215, Map.of("topic", topic), "");
  }

  static RocketRequest deleteTopicFromNameServer(String topic) {
    return new RocketRequest(216, Map.of("topic", topic), "");
  }

  /**
   * Sends the request over a connection of its own.
   *
   * @throws IOException when nobody answers, or something that does not speak this protocol
   */
  Answer send(String host, int port) throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(host, port), LIMIT_MILLIS);
      socket.setSoTimeout(LIMIT_MILLIS);
      write(new DataOutputStream(socket.getOutputStream()));
      return read(new DataInputStream(socket.getInputStream()));
    }
  }

  private void write(DataOutputStream out) throws IOException {
    byte[] header = header().getBytes(StandardCharsets.UTF_8);
    byte[] content = body.getBytes(StandardCharsets.UTF_8);
    out.writeInt(4 + header.length + content.length);
    out.writeInt(header.length); // its first byte, 0, means JSON
    out.write(header);
    out.write(content);
    out.flush();
  }

  private String header() {
    String extra =
        fields.entrySet().stream()
            .map(field -> "\"%s\":\"%s\"".formatted(field.getKey(), field.getValue()))
            .collect(Collectors.joining(","));
    return """
        {"code":%d,"language":"JAVA","version":0,"opaque":1,"flag":0,\
        "serializeTypeCurrentRPC":"JSON","extFields":{%s}}"""
        .formatted(code, extra);
  }

  private static Answer read(DataInputStream in) throws IOException {
    int all = in.readInt();
    int headerBytes = in.readInt() & 0xffffff;
    if (all < 4 + headerBytes || all > BYTES_MAX) {
      throw new IOException("The answer is not that of RocketMQ");
    }
    String header = new String(in.readNBytes(headerBytes), StandardCharsets.UTF_8);
    String body = new String(in.readNBytes(all - 4 - headerBytes), StandardCharsets.UTF_8);
    Matcher code = CODE.matcher(header);
    Matcher remark = REMARK.matcher(header);
    if (!code.find()) {
      throw new IOException("The answer is not that of RocketMQ: " + header);
    }
    return new Answer(Integer.parseInt(code.group(1)), remark.find() ? remark.group(1) : "", body);
  }
}
