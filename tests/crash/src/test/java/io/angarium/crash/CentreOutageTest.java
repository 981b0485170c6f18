package io.angarium.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.testservers.DatabaseServer;
import io.angarium.testservers.KafkaServer;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.ServerOptions;
import io.angarium.testservers.SharedServers;
import io.angarium.testservers.Thorough;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the message centre works with is killed, and comes back. */
class CentreOutageTest {
  private static final Duration LIMIT = Duration.ofSeconds(90);
  private static final int OUTAGES = 2;
  private static final int PARTITIONS = 4;

  @TempDir Path folder;

  @Test
  @RequiresServer(Server.POSTGRESQL)
  void databaseKilledUnderLoad() throws Exception {
    try (DatabaseServer postgres =
            DatabaseServer.start(Server.POSTGRESQL, ServerOptions.standard().ownProcess());
        CentreScene scene = new CentreScene(folder, postgres)) {
      CentreServer server = scene.server("--spring.datasource.hikari.connection-timeout=2000");
      ProducerProcess producer = scene.start(scene.producer(server).selling("d", 8));
      for (int i = 1; i <= OUTAGES; i++) {
        scene.awaitSold(scene.sold() + 50);
        int failures = producer.count(OrderProducer.FAILED);

        postgres.kill();

        Waiting.until(
            LIMIT,
            () -> producer.count(OrderProducer.FAILED) >= failures + 4,
            () -> "No failures without a database");
        postgres.restart();
      }
      scene.awaitSold(scene.sold() + 50);
      producer.stopSelling();
      scene.checkNothingWrong(scene.audit("d"));
      assertThat(producer.count(AskedProducer.ANSWER)).isPositive();
    }
  }

  @Thorough
  @Test
  @RequiresServer({Server.POSTGRESQL, Server.KAFKA})
  void brokerKilledUnderLoad() throws Exception {
    try (KafkaServer kafka = KafkaServer.start(ServerOptions.standard().ownProcess());
        CentreScene scene = new CentreScene(folder, SharedServers.postgres());
        KafkaReader reader = new KafkaReader(kafka, "orders", PARTITIONS, scene.arrivals)) {
      reader.start();
      CentreServer server =
          scene.server(
              "--angarium.kafka.enabled=true",
              "--angarium.kafka.delivery-timeout=2s",
              "--angarium.kafka.bootstrap-servers=" + kafka.bootstrapServers());
      CentreAudit audit = scene.audit("k");
      ProducerProcess producer =
          scene.start(scene.producer(server).sendingTo("kafka:orders").selling("k", 4));
      Waiting.until(LIMIT, () -> scene.arrivals.count() > 20, () -> "Nothing arrives");

      kafka.kill();

      scene.awaitSold(scene.sold() + 100);
      assertThat(audit.unsent()).isGreaterThan(50);
      kafka.restart();
      scene.awaitSold(scene.sold() + 50);
      producer.stopSelling();
      scene.checkNothingWrong(audit);
    }
  }
}
