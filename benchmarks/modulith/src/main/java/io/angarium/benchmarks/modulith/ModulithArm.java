package io.angarium.benchmarks.modulith;

import io.angarium.benchmarks.arm.Arm;
import io.angarium.benchmarks.arm.ArmProgram;
import io.angarium.benchmarks.arm.ArmSettings;
import io.angarium.benchmarks.arm.Outgoing;
import io.angarium.benchmarks.arm.Variant;
import io.angarium.benchmarks.spring.BusinessApplication;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.modulith.events.IncompleteEventPublications;

/**
 * Externalized events of Spring Modulith 2.1.1 with its JDBC registry on Spring Boot 4.1: an event
 * is stored in the transaction, sent by a thread of the application after the commit, and completed
 * in the registry when the broker has acknowledged it. Its module for Kafka is to be had up to
 * 2.0.3 only, which works with 2.1.1 as it is. It promises no order.
 *
 * <p>As it comes: 8 threads, completed events are kept. Tuned: 24 threads, completed events are
 * deleted, Kafka's client does not wait for larger batches.
 *
 * <p>There is no relay that looks for what was not sent: republishing all of it when the
 * application starts is what the library offers, and one has to ask for it. So what is committed
 * before the start is stored while the calls after the commit are discarded, and the start does
 * what {@code republish-outstanding-events-on-restart} does, in a thread of its own, so that a
 * drain can end when its time is up.
 */
public final class ModulithArm implements Arm {
  private static final Map<String, Object> DEFAULTS =
      Map.of("spring.modulith.events.jdbc.schema-initialization.enabled", true);
  private static final Map<String, Object> TUNED =
      Map.of(
          "spring.modulith.events.completion-mode", "delete",
          "spring.task.execution.pool.core-size", 24,
          "spring.kafka.producer.properties.linger.ms", 0);

  private final BusinessApplication application;
  private final Gate gate = new Gate();
  private volatile boolean republishing;
  private @Nullable Thread republisher;

  ModulithArm(ArmSettings settings) throws SQLException {
    boolean tuned = settings.variant() == Variant.TUNED;
    Map<String, Object> properties = new HashMap<>(DEFAULTS);
    properties.put("arm.topic", settings.topic());
    properties.put("spring.kafka.bootstrap-servers", settings.brokerAddress());
    if (tuned) {
      properties.putAll(TUNED);
    }
    this.application =
        BusinessApplication.start(
            settings,
            new BusinessApplication.Plan(Configuration.class, properties, tuned ? 48 : 10),
            Gate.class,
            gate);
  }

  /** Obeys the harness. */
  public static void main(String[] args) throws IOException {
    ArmProgram.run(ModulithArm::new);
  }

  @Override
  public void transact(long businessId, List<Outgoing> messages) {
    ApplicationEventPublisher events = application.publisher();
    application.transact(
        businessId,
        () ->
            messages.forEach(
                message -> events.publishEvent(new Note(message.key(), message.text()))));
  }

  @Override
  public void start() {
    gate.open();
    republishing = true;
    Instant start = Instant.now();
    republisher = new Thread(() -> republish(start), "modulith-republish");
    republisher.start();
  }

  /** What was published since the start is sent after its commit; once more would be too much. */
  private void republish(Instant start) {
    application
        .bean(IncompleteEventPublications.class)
        .resubmitIncompletePublications(
            publication -> republishing && publication.getPublicationDate().isBefore(start));
  }

  @Override
  public void stop() throws InterruptedException {
    republishing = false;
    if (republisher != null) {
      republisher.join();
    }
    gate.shut();
    application.bean(KafkaTemplate.class).flush(); // returns when what was sent is completed
  }

  @Override
  public long sent() {
    return application.bean(Configuration.Acknowledged.class).count();
  }

  @Override
  public long left() throws SQLException {
    return application.number(
        "SELECT count(*) FROM EVENT_PUBLICATION WHERE completion_date IS NULL");
  }

  @Override
  public void close() {
    application.close();
  }
}
