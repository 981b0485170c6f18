package io.angarium.together;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.kafka.KafkaConfig;
import io.angarium.kafka.KafkaTransport;
import io.angarium.testservers.FaultProxy;
import io.angarium.testservers.KafkaServer;
import io.angarium.transport.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Kafka. */
record KafkaBroker(KafkaServer server) implements RemoteBroker {
  private static final int PARTITIONS = 4;

  @Override
  public Transport open(Duration patience, DataSource database) {
    return KafkaTransport.open(
        KafkaConfig.of(server.bootstrapServers()).holdMax(patience).deliveryTimeout(patience));
  }

  @Override
  public String create(String place) {
    server.createTopic(place, PARTITIONS);
    return "kafka:" + place;
  }

  @Override
  public FaultProxy proxy() {
    return server.proxy();
  }

  @Override
  public List<String> read(String place, int wanted) {
    List<TopicPartition> partitions =
        IntStream.range(0, PARTITIONS).mapToObj(i -> new TopicPartition(place, i)).toList();
    List<String> texts = new ArrayList<>();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", server.directBootstrapServers()),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      long deadline = System.nanoTime() + Traffic.LIMIT.toNanos();
      while (new HashSet<>(texts).size() < wanted) {
        assertThat(System.nanoTime()).as("%s is read in time", place).isLessThan(deadline);
        consumer.poll(Duration.ofMillis(100)).forEach(r -> texts.add(new String(r.value(), UTF_8)));
      }
    }
    return texts;
  }

  @Override
  public String toString() {
    return "Kafka";
  }
}
