package io.angarium.benchmarks.namastack;

import io.angarium.benchmarks.arm.Arm;
import io.angarium.benchmarks.arm.ArmProgram;
import io.angarium.benchmarks.arm.ArmSettings;
import io.angarium.benchmarks.arm.Outgoing;
import io.angarium.benchmarks.arm.Variant;
import io.angarium.benchmarks.arm.WaitingSender;
import io.angarium.benchmarks.spring.BusinessApplication;
import io.namastack.outbox.Outbox;
import io.namastack.outbox.OutboxProcessingScheduler;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;

/**
 * Namastack Outbox 1.6.0 with its JDBC starter on Spring Boot 4.1: records are scheduled in the
 * transaction and polled from the table; the records of a key one after the other, each when the
 * broker has acknowledged the one before. The module for Kafka is not to be had for this version,
 * so a handler sends.
 *
 * <p>As it comes: 10 keys every 2 s, 4 threads, completed records are kept. Tuned as its page on
 * performance advises: 800 keys, every 25 ms, at most 30 virtual threads (on Java 17, which has
 * none: 16 to 32 threads, its other candidate); also, completed records are deleted and Kafka's
 * client does not wait for larger batches.
 *
 * <p>It orders the records of a key by the time they were created. Its schema for MariaDB keeps
 * that time in whole seconds, so there the records of a second are sent in any order.
 *
 * <p>A record without a key gets a random one from the library, which the broker sees as well.
 */
public final class NamastackArm implements Arm {
  private static final Map<String, Object> TUNED =
      Map.of(
          "namastack.outbox.polling.batch-size", 800,
          "namastack.outbox.polling.fixed.interval", "25ms",
          "namastack.outbox.processing.delete-completed-records", true,
          "namastack.outbox.processing.executor-concurrency-limit", 30,
          "namastack.outbox.processing.executor-core-pool-size", 16,
          "namastack.outbox.processing.executor-max-pool-size", 32,
          "spring.threads.virtual.enabled", true);

  private final WaitingSender sender;
  private final BusinessApplication application;
  private final Outbox outbox;
  private final OutboxProcessingScheduler relay;

  /** The application; what it consists of is configured by the starter. */
  @SpringBootConfiguration
  @EnableAutoConfiguration
  static class Configuration {}

  NamastackArm(ArmSettings settings) throws SQLException {
    boolean tuned = settings.variant() == Variant.TUNED;
    this.sender = new WaitingSender(settings);
    this.application =
        BusinessApplication.start(
            settings,
            new BusinessApplication.Plan(
                Configuration.class, tuned ? TUNED : Map.of(), tuned ? 48 : 10),
            NoteHandler.class,
            new NoteHandler(sender));
    this.outbox = application.bean(Outbox.class);
    this.relay = application.bean(OutboxProcessingScheduler.class);
    relay.stop(); // it starts with the application
  }

  /** Obeys the harness. */
  public static void main(String[] args) throws IOException {
    ArmProgram.run(NamastackArm::new);
  }

  @Override
  public void transact(long businessId, List<Outgoing> messages) {
    application.transact(businessId, () -> messages.forEach(this::schedule));
  }

  private void schedule(Outgoing message) {
    if (message.key() == null) {
      outbox.schedule(new Note(message.text()));
    } else {
      outbox.schedule(new Note(message.text()), message.key());
    }
  }

  @Override
  public void start() {
    relay.start();
  }

  @Override
  public void stop() {
    relay.stop(); // returns when the batch at work is done
  }

  @Override
  public long sent() {
    return sender.acknowledged();
  }

  @Override
  public long left() throws SQLException {
    return application.number("SELECT count(*) FROM outbox_record WHERE status <> 'COMPLETED'");
  }

  @Override
  public void close() {
    application.close();
    sender.close();
  }
}
