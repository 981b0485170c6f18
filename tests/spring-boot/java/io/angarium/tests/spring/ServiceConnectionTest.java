package io.angarium.tests.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Message;
import io.angarium.Outbox;
import io.angarium.testservers.KafkaServer;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.SharedServers;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import org.testcontainers.kafka.KafkaContainer;

/**
 * Spring Boot's own way from a container to connection details. The container is an object that
 * stands for a broker which the test started otherwise, as there need not be a Docker.
 */
class ServiceConnectionTest {
  private static final Pattern SAMPLE = Pattern.compile("(?s)```java\n(.*?)```");

  @Test
  @RequiresServer(Server.KAFKA)
  void messagesGoToTheContainerAndNotWhereThePropertiesPoint() {
    KafkaServer kafka = SharedServers.kafka();
    String topic = "container-" + UUID.randomUUID();
    kafka.createTopic(topic, 1);
    Database database = Database.h2();
    Shop shop =
        Shop.on(database)
            .withoutJpa()
            .with(Containers.class)
            .with("test.kafka=" + kafka.bootstrapServers())
            .with("angarium.kafka.enabled=true")
            .with("spring.kafka.bootstrap-servers=127.0.0.1:1");

    try (ConfigurableApplicationContext context = shop.start()) {
      Outbox outbox = context.getBean(Outbox.class);
      new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
          .executeWithoutResult(
              status -> outbox.send(Message.of("kafka:" + topic, new byte[] {1})));
      database.awaitSent();
    }

    TopicPartition partition = new TopicPartition(topic, 0);
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", kafka.bootstrapServers()),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      assertThat(consumer.endOffsets(List.of(partition))).containsEntry(partition, 1L);
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class Containers {
    @Bean
    @ServiceConnection
    KafkaContainer kafka(Environment environment) {
      return new StartedElsewhere(environment.getRequiredProperty("test.kafka"));
    }
  }

  private static final class StartedElsewhere extends KafkaContainer {
    private final String servers;

    StartedElsewhere(String servers) {
      super("apache/kafka");
      this.servers = servers;
    }

    @Override
    public void start() {
      // runs already
    }

    @Override
    public void stop() {
      // runs on
    }

    @Override
    public boolean isRunning() {
      return true;
    }

    @Override
    public String getBootstrapServers() {
      return servers;
    }
  }

  @Test
  void sampleOfThePageOnTestingCompiles(@TempDir Path folder) throws IOException {
    String text = Files.readString(Path.of("..", "..", "docs", "testing.md"));
    String part = text.substring(text.indexOf("## With Testcontainers"));
    List<String> samples = SAMPLE.matcher(part).results().map(found -> found.group(1)).toList();

    assertThat(samples)
        .singleElement()
        .satisfies(sample -> assertThat(complaints(sample, folder)).isEmpty());
  }

  private static String complaints(String sample, Path folder) {
    StringWriter complaints = new StringWriter();
    List<String> options =
        List.of(
            "-d", folder.toString(), "-proc:none", "-cp", System.getProperty("java.class.path"));
    SimpleJavaFileObject source =
        new SimpleJavaFileObject(
            URI.create("string:///OrdersReachKafkaTest.java"), JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return sample;
          }
        };
    ToolProvider.getSystemJavaCompiler()
        .getTask(complaints, null, null, options, null, List.of(source))
        .call();
    return complaints.toString();
  }
}
