package io.angarium.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.OutputStreamAppender;
import com.example.trustmessage.middlewareapi.common.MiddlewareMessage;
import com.example.trustmessage.middlewareapi.service.MessageService;
import io.angarium.Message;
import io.angarium.grpc.v1.HalfMessagesGrpc;
import io.angarium.grpc.v1.HalfWire;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessage;
import io.angarium.half.HalfMessages;
import io.angarium.half.HalfState;
import io.angarium.kafka.intake.HalfIntakeFormat;
import io.angarium.server.start.CleanLogs;
import io.angarium.server.start.CleanText;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.SharedServers;
import io.grpc.StatusRuntimeException;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.dubbo.rpc.RpcException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.KeyValuePair;

/** The log as it is written, when texts of strangers come in. */
class CleanLogsTest {
  /** The beginning of what a stranger would like the log to say. */
  private static final String FORGED = "ERROR-forged";

  /** Line ends, escapes of terminals, characters that turn the text around, halves, long ones. */
  private static List<String> hostile() {
    List<String> all = new ArrayList<>();
    for (int c = 1; c < 0x20; c++) {
      all.add("a" + (char) c + FORGED);
    }
    for (char c :
        new char[] {0x7f, 0x85, 0x9b, 0x2028, 0x2029, 0x202a, 0x202e, 0x2066, 0x200b, 0xfeff}) {
      all.add("a" + c + FORGED);
    }
    all.add("a\r\n2026-01-01T00:00:00.000Z " + FORGED);
    all.add("a\u001b[2J\u001b[31m" + FORGED);
    all.add("a".repeat(20_000));
    return all;
  }

  static String logged(Runnable work) {
    PrintStream before = System.out;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    System.setOut(new PrintStream(bytes, true, UTF_8));
    try {
      work.run();
    } finally {
      System.setOut(before);
    }
    return bytes.toString(UTF_8);
  }

  private static void assertClean(String log) {
    assertThat(log.lines()).noneMatch(line -> line.stripLeading().startsWith(FORGED));
    assertThat(log.replace("\r\n", "\n").replace("\n", "").replace("\t", "").codePoints())
        .noneMatch(
            c ->
                Character.isISOControl(c)
                    || Character.getType(c) == Character.FORMAT
                    || Character.getType(c) == Character.LINE_SEPARATOR
                    || Character.getType(c) == Character.PARAGRAPH_SEPARATOR);
    assertThat(log.lines()).allMatch(line -> line.length() < 2 * CleanText.LENGTH_MAX);
  }

  @Test
  void whatStrangersSendStaysInItsLine() {
    int port = DubboShop.freePort();
    String log =
        logged(
            () -> {
              try (ServerUnderTest server =
                      ServerUnderTest.open(
                          "angarium.server.grpc.enabled=true",
                          "angarium.server.grpc.port=0",
                          "angarium.server.dtm.enabled=true",
                          "angarium.server.dubbo.enabled=true",
                          "angarium.server.dubbo.port=" + port,
                          "angarium.server.dubbo.forward-transport=log",
                          "angarium.server.dubbo.businesses=*",
                          "angarium.server.dubbo.destinations=log:*",
                          "angarium.http.allowed-hosts=127.0.0.1",
                          "logging.level.io.angarium=debug");
                  DubboShop shop = new DubboShop(port, (business, key) -> 1)) {
                hostile().forEach(text -> callAll(server, text));
                hostile().forEach(text -> callOverDubbo(shop.centre(), text));
              }
            });

    assertThat(log).contains("Received "); // the messages that were committed
    assertClean(log);
  }

  private static void callAll(ServerUnderTest server, String text) {
    String json =
        "{\"calls\":[{\"step\":\"prepare\",\"business\":%1$s,\"key\":%1$s,\"destination\":%2$s,"
            + "\"messageKey\":%1$s,\"type\":%1$s,\"headers\":{\"h\":%1$s},\"text\":\"\"},"
            + "{\"step\":\"commit\",\"business\":%1$s,\"key\":%1$s}]}";
    server.send(
        server
            .request("/v1/half-messages/batch")
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(json.formatted(quoted(text), quoted("log:" + text)))));
    server.send(
        server
            .request("/api/dtmsvr/submit")
            .header("Content-Type", "application/json")
            .POST(
                BodyPublishers.ofString(
                    "{\"gid\":%1$s,\"trans_type\":%1$s,\"steps\":[{\"action\":%2$s}],\"payloads\":[%1$s]}"
                        .formatted(quoted(text), quoted("http://" + text)))));
    HalfWire.Key key = HalfWire.Key.newBuilder().setBusiness(text).setKey(text).build();
    try {
      HalfMessagesGrpc.newBlockingStub(server.channel((String) null))
          .prepare(
              HalfWire.HalfMessage.newBuilder().setKey(key).setDestination("log:" + text).build());
    } catch (StatusRuntimeException refused) {
      assertThat(refused.getStatus().getCode()).isNotNull();
    }
    if (text.length() < 100) {
      HalfKey known = new HalfKey("order", text);
      server.half().prepare(HalfMessage.of(known, Message.of("log:orders", text).key(text)));
      server.half().commit(known);
    }
  }

  /** By calls of TrustMessage, whose producers show no key. */
  private static void callOverDubbo(MessageService centre, String text) {
    MiddlewareMessage known = DubboShop.message(text, text, null);
    known.setVerifyInfo(null);
    known.setForwardKey(text);
    MiddlewareMessage asked = DubboShop.message(text, text, text);
    for (MiddlewareMessage each : List.of(known, asked)) {
      try {
        centre.prepareMessage(each);
        centre.commitMessage(each);
        centre.rollBackMessage(each);
      } catch (RpcException refused) {
        assertThat(refused.getCode()).isNotNegative();
      }
    }
  }

  /** In all parts of records, in the form of headers and in that of TrustMessage. */
  @Test
  @RequiresServer(io.angarium.testservers.Server.KAFKA)
  void whatStrangersSendThroughKafkaStaysInItsLine() throws Exception {
    String kafka = SharedServers.kafka().bootstrapServers();
    String topic = "half-" + UUID.randomUUID();
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka))) {
      admin
          .createTopics(
              List.of(
                  new NewTopic(topic, 1, (short) 1), new NewTopic("dead-" + topic, 1, (short) 1)))
          .all()
          .get(30, TimeUnit.SECONDS);
    }

    String log =
        logged(
            () -> {
              try (ServerUnderTest server =
                  ServerUnderTest.open(
                      "angarium.kafka.enabled=true",
                      "angarium.kafka.bootstrap-servers=" + kafka,
                      "angarium.server.kafka-intake.topics=" + topic,
                      "angarium.server.kafka-intake.dead-letter-topic=dead-" + topic,
                      "angarium.server.kafka-intake.group=" + topic,
                      "angarium.server.kafka-intake.businesses=*",
                      "angarium.server.kafka-intake.destinations=log:*",
                      "logging.level.io.angarium=debug")) {
                sendThroughKafka(kafka, topic);
                awaitState(server, new HalfKey("order", "last"), HalfState.PREPARED);
              }
            });

    assertThat(log).contains("Received "); // the messages that were committed
    assertClean(log);
  }

  private static void sendThroughKafka(String kafka, String topic) {
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", kafka), new StringSerializer(), new StringSerializer())) {
      for (String text : hostile()) {
        for (String step : List.of("prepare", "commit", "rollback", text)) {
          send(producer, new ProducerRecord<>(topic, text, text), step, "order", "log:orders");
          send(producer, new ProducerRecord<>(topic, text, text), step, text, "log:" + text);
        }
        ProducerRecord<String, String> named = new ProducerRecord<>(topic, text, text);
        named.headers().add("angarium-" + text, text.getBytes(UTF_8));
        named.headers().add(HalfIntakeFormat.DELAY, text.getBytes(UTF_8));
        send(producer, named, "prepare", "order", "log:orders");
        String json =
            "{\"bizID\":1,\"messageKey\":%1$s,\"messageStatus\":1,\"message\":%1$s,\"forwardTopic\":%1$s,\"forwardKey\":%1$s,%1$s:%1$s}";
        var unused = producer.send(new ProducerRecord<>(topic, text, json.formatted(quoted(text))));
      }
      send(producer, new ProducerRecord<>(topic, "last", ""), "prepare", "order", "log:orders");
    }
  }

  private static void send(
      KafkaProducer<String, String> producer,
      ProducerRecord<String, String> record,
      String step,
      String business,
      String destination) {
    record.headers().add(HalfIntakeFormat.STEP, step.getBytes(UTF_8));
    record.headers().add(HalfIntakeFormat.BUSINESS, business.getBytes(UTF_8));
    record.headers().add(HalfIntakeFormat.DESTINATION, destination.getBytes(UTF_8));
    record.headers().add(HalfIntakeFormat.TYPE, String.valueOf(record.key()).getBytes(UTF_8));
    var unused = producer.send(record); // close() waits for it
  }

  private static void awaitState(ServerUnderTest server, HalfKey key, HalfState state) {
    HalfMessages half = server.bean(HalfMessages.class);
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
    while (half.state(key) != state) {
      assertThat(System.nanoTime()).as("%s is %s", key, half.state(key)).isLessThan(deadline);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
    }
  }

  private static String quoted(String text) {
    StringBuilder json = new StringBuilder("\"");
    text.chars().forEach(c -> json.append("\\u%04x".formatted(c)));
    return json.append('"').toString();
  }

  @Test
  void exceptionsAreCleanAndWithoutPasswords() {
    String log =
        logged(
            () -> {
              try (ServerUnderTest server = ServerUnderTest.open("angarium.relay.enabled=false")) {
                Logger driver = LoggerFactory.getLogger("driver");
                driver.warn(
                    "Cannot connect to jdbc:mysql://root:s3cret@db/outbox?password=s3cret\n"
                        + FORGED,
                    new IllegalStateException(
                        "first\n" + FORGED,
                        new SQLException("URL jdbc:mysql://root:s3cret@db, password=s3cret")));
                assertThat(server.port()).isPositive();
              }
            });

    assertThat(log).contains("jdbc:mysql://root:***@db", "SQLException").doesNotContain("s3cret");
    assertClean(log);
  }

  @Test
  void bannerShowsNoPassword() {
    for (String url :
        List.of(
            "jdbc:mysql://root:s3cret@db:3306/outbox",
            "jdbc:postgresql://db/outbox?user=u&password=s3cret",
            "jdbc:mysql://address=(host=db)(password=s3cret)/outbox",
            "jdbc:mysql://root:a/s3cret@db:3306/outbox",
            "jdbc:mysql://root:a?s3cret@db:3306/outbox",
            "jdbc:mysql://s3cret?a/b@db:3306/outbox",
            "jdbc:mysql://root:a@s3cret@db:3306/outbox",
            "jdbc:mysql://root:s3cret?a=b@db:3306/outbox",
            "jdbc:mysql://address=(host=db)(password=p@s3cret)/outbox",
            "jdbc:mysql://address=(host=db)(password=p,s3cret)/outbox",
            "jdbc:postgresql://db/outbox?user=u&password=p@s3cret",
            "jdbc:h2:tcp://h/x;USER=sa;PASSWORD=p@s3cret",
            "jdbc:h2:mem:x;PASSWORD=s3cret")) {
      assertThat(Server.withoutSecrets(url)).as(url).startsWith("jdbc:").doesNotContain("s3cret");
    }
    assertThat(Server.withoutSecrets("jdbc:mysql://root:a@db:3306/outbox?useSSL=true"))
        .isEqualTo("jdbc:mysql://db:3306/outbox");
  }

  @Test
  void passwordsOfEveryFormAreHidden() {
    for (String text :
        List.of(
            "jdbc:mysql://root:a/s3cret@db/outbox",
            "jdbc:mysql://root:a?s3cret#s3cret@db/outbox",
            "jdbc:mysql://root:a's3cret\"s3cret@db/outbox",
            "jdbc:mysql://root:a@s3cret@db/outbox",
            "jdbc:mysql://root:8080/s3cret@db/outbox",
            "jdbc:mysql://app@corp:s3cret@db/outbox",
            "amqp://user:a,s3cret@rabbit:5672/%2f",
            "amqps://user:a)s3cret@rabbit, next",
            "redis://:s3cret/a@redis:6379/0",
            "password=a's3cret",
            "password=a,s3cret",
            "password='a s3cret'",
            "\"password\":\"a s3cret\"",
            "spring.datasource.password: s3cret",
            "jdbc:mysql://db/x?trustCertificateKeyStorePassword=s3cret&useSSL=true",
            "jdbc:postgresql://db/x?user=u&sslpassword=s3cret")) {
      assertThat(CleanText.withoutSecrets(text)).as(text).doesNotContain("s3cret").contains("***");
    }
    assertThat(CleanText.withoutSecrets("jdbc:mysql://db/x?password=p&useSSL=true, at 10:15"))
        .isEqualTo("jdbc:mysql://db/x?password=***&useSSL=true, at 10:15");
  }

  /** Whatever words a pattern has. */
  @Test
  void everyWordOfAPatternIsClean() {
    for (String word :
        List.of(
            "%m",
            "%rEx",
            "%xException",
            "%ex{full}",
            "%xThrowable",
            "%kvp",
            "%mdc",
            "%X{id}",
            "%thread",
            "%replace(%m){'x','y'}",
            "%m%nopex")) {
      LoggerContext context = new LoggerContext();
      PatternLayoutEncoder encoder = new PatternLayoutEncoder();
      encoder.setContext(context);
      encoder.setPattern("start " + word + "%n");
      encoder.start();
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      OutputStreamAppender<ILoggingEvent> appender = new OutputStreamAppender<>();
      appender.setContext(context);
      appender.setEncoder(encoder);
      appender.setOutputStream(bytes);
      appender.start();

      CleanLogs.clean(appender);
      for (String text : hostile()) {
        appender.doAppend(event(context, text));
      }

      assertThat(bytes.toString(UTF_8)).as(word).contains("start ");
      assertClean(bytes.toString(UTF_8));
    }
  }

  private static LoggingEvent event(LoggerContext context, String text) {
    LoggingEvent event =
        new LoggingEvent(
            "test",
            context.getLogger("test"),
            Level.WARN,
            "told {}",
            new IllegalStateException(text, new SQLException(text)),
            new Object[] {text});
    event.setThreadName(text);
    event.setMDCPropertyMap(Map.of("id", text));
    event.setKeyValuePairs(List.of(new KeyValuePair("pair", text)));
    return event;
  }
}
