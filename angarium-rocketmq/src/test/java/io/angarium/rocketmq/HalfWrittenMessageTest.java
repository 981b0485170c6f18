package io.angarium.rocketmq;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.RocketServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.ServerOptions;
import io.angarium.testservers.Thorough;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageExt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a broker makes of a message that it was writing when it was killed. A message ends with its
 * properties, and when a broker starts again it looks at the checksum of the body alone.
 */
@OnOneJdk
@RequiresServer(Server.ROCKETMQ)
class HalfWrittenMessageTest {
  private static final String TOPIC = "half-written";
  private static final String WHOLE = "this one is written as a whole";
  private static final String CUT = "this one has lost its properties";
  private static final String LATER = "this one came afterwards";

  @TempDir private Path store;

  @Thorough
  @Test
  void staysWithoutItsPropertiesByDefault() throws Exception {
    try (RocketServer server = server(false)) {
      send(server);
      killWhileItWrites(server);

      assertThat(found(server)).containsExactly(WHOLE + " with an id", CUT + " without an id");
    }
  }

  @Test
  void isGoneWithAChecksumOfTheProperties() throws Exception {
    try (RocketServer server = server(true)) {
      send(server);
      killWhileItWrites(server);

      assertThat(found(server)).containsExactly(WHOLE + " with an id");
    }
  }

  /** Why checksums are to be written for some time before they are demanded. */
  @Thorough
  @Test
  void messagesFromBeforeTheChecksumsAreGoneToo() throws Exception {
    try (RocketServer before = server(false)) {
      send(before);
      assertThat(found(before)).hasSize(2);
      before.kill();
    }
    try (RocketServer server = server(true)) {
      sendOne(server, LATER);
      assertThat(found(server)).containsExactly(LATER + " with an id");
    }
  }

  private RocketServer server(boolean checksums) {
    RocketServer server =
        RocketServer.start(
            ServerOptions.standard()
                .ownProcess()
                .setting("enabledAppendPropCRC", String.valueOf(checksums))
                .setting("forceVerifyPropCRC", String.valueOf(checksums))
                .setting("storePathRootDir", store.toString())
                .setting("storePathCommitLog", store.resolve("commitlog").toString()));
    server.createTopic(TOPIC, 1);
    return server;
  }

  private static void send(RocketServer server) throws Exception {
    sendOne(server, WHOLE);
    sendOne(server, CUT);
  }

  private static void sendOne(RocketServer server, String text) throws Exception {
    DefaultMQProducer producer = producer(server);
    producer.send(message(text), 30_000);
    producer.shutdown();
  }

  private static List<String> found(RocketServer server) throws Exception {
    DefaultMQProducer producer = producer(server);
    List<MessageExt> found = TestCluster.read(TOPIC, producer);
    producer.shutdown();
    return found.stream().map(HalfWrittenMessageTest::text).toList();
  }

  private static DefaultMQProducer producer(RocketServer server) throws Exception {
    DefaultMQProducer producer =
        Producers.plain(RocketConfig.of(server.nameServer()).producerGroup("half-written"));
    producer.setMqClientApiTimeout(30_000); // 3 s are little on a busy machine
    producer.start();
    return producer;
  }

  private static Message message(String text) {
    Message message = new Message(TOPIC, text.getBytes(UTF_8));
    message.putUserProperty(RocketWireFormat.ID, "any");
    return message;
  }

  private static String text(MessageExt message) {
    String id = message.getUserProperty(RocketWireFormat.ID);
    return new String(message.getBody(), UTF_8) + (id == null ? " without an id" : " with an id");
  }

  private void killWhileItWrites(RocketServer server) throws IOException {
    server.kill();
    try (FileChannel log =
        FileChannel.open(log(), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer bytes = ByteBuffer.allocate((int) log.size());
      log.read(bytes, 0);
      // Behind the body come the topic, its length in a byte, and the properties, theirs in two.
      int topic = new String(bytes.array(), ISO_8859_1).lastIndexOf(CUT) + CUT.length();
      int properties = topic + 1 + bytes.get(topic);
      log.write(ByteBuffer.allocate(bytes.getShort(properties)), properties + Short.BYTES);
    }
    server.restart();
  }

  private Path log() throws IOException {
    try (Stream<Path> files = Files.list(store.resolve("commitlog"))) {
      return files.sorted().findFirst().orElseThrow();
    }
  }
}
