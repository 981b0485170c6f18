package io.angarium.benchmarks.modulith;

import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.support.ProducerListener;
import org.springframework.modulith.events.EventExternalizationConfiguration;
import org.springframework.modulith.events.RoutingTarget;

/** The application: which events go to Kafka, and a count of what the broker acknowledged. */
@SpringBootConfiguration
@EnableAutoConfiguration
class Configuration {
  @Bean
  EventExternalizationConfiguration externalization(@Value("${arm.topic}") String topic) {
    return EventExternalizationConfiguration.externalizing()
        .select(Note.class::isInstance)
        .mapping(Note.class, Note::text)
        .route(Note.class, note -> target(topic, note.key()))
        .build();
  }

  private static RoutingTarget target(String topic, @Nullable String key) {
    RoutingTarget.RoutingTargetBuilder target = RoutingTarget.forTarget(topic);
    return key == null ? target.withoutKey() : target.andKey(key);
  }

  @Bean
  Acknowledged acknowledged() {
    return new Acknowledged();
  }

  /** Counts what the broker acknowledged. */
  static final class Acknowledged implements ProducerListener<Object, Object> {
    private final AtomicLong count = new AtomicLong();

    @Override
    public void onSuccess(ProducerRecord<Object, Object> sent, @Nullable RecordMetadata metadata) {
      count.incrementAndGet();
    }

    long count() {
      return count.get();
    }
  }
}
