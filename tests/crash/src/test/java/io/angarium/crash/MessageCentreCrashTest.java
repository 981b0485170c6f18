package io.angarium.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.crash.ProducerSettings.Answering;
import io.angarium.testservers.FaultProxy;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.SharedServers;
import io.angarium.testservers.Thorough;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Servers of the message centre that are killed. */
@RequiresServer(Server.POSTGRESQL)
class MessageCentreCrashTest {
  private static final Duration LIMIT = Duration.ofSeconds(90);
  private static final int KILLS = 4;
  private static final int COMMITS = 30;

  @TempDir Path folder;

  private CentreScene scene;

  @BeforeEach
  void begin() throws Exception {
    scene = new CentreScene(folder, SharedServers.postgres());
  }

  @AfterEach
  void end() {
    scene.close();
  }

  @Test
  void killedWhenItHasStoredPreparesAndHasAnsweredOneOfThem() throws Exception {
    CentreServer server = scene.server();
    CentreAudit audit = scene.audit("p");
    try (FaultProxy proxy = FaultProxy.to("127.0.0.1", server.port())) {
      ProducerSettings silent = scene.producer(server).answering(Answering.NEVER);
      ProducerProcess unanswered =
          scene.start(
              silent
                  .at("http://127.0.0.1:" + proxy.port())
                  .selling("p-u", 1)
                  .stopping(ProducerPoint.BEFORE_PREPARE, 0));
      ProducerProcess answered =
          scene.start(silent.selling("p-a", 1).stopping(ProducerPoint.AFTER_PREPARE, 3));
      answered.await(Tripwire.SIGN);
      proxy.blackhole(FaultProxy.Way.TO_CLIENT);
      unanswered.goOn();
      scene.awaitState(audit, "p-u-0-1", "prepared");

      server.kill();
      proxy.cutAll();
      proxy.heal();

      assertThat(audit.state("p-a-0-4")).isEqualTo("prepared");
      assertThat(audit.state("p-u-0-1")).isEqualTo("prepared");
      answered.goOn();
      Waiting.until(LIMIT, () -> audit.sold().containsKey("p-a-0-4"), () -> "It does not go on");
      unanswered.await(OrderProducer.FAILED);
      server.start().awaitRunning();
      answered.stopSelling();
      unanswered.stopSelling();
      scene.start(scene.producer(server)); // from now on somebody answers
      scene.checkNothingWrong(audit);
      assertThat(scene.arrivals.firsts()).containsKey("p-a-0-4").doesNotContainKey("p-u-0-1");
      assertThat(audit.state("p-u-0-1")).isEqualTo("rolled back");
    }
  }

  @Test
  void killedWhenItHasAnsweredCommitsWhileItSends() throws Exception {
    CentreServer server = scene.server();
    CentreAudit audit = scene.audit("c");
    scene.consumer.hold();
    ProducerProcess producer =
        scene.start(
            scene
                .producer(server)
                .selling("c", 1)
                .stopping(ProducerPoint.AFTER_COMMIT, COMMITS - 1));
    producer.await(Tripwire.SIGN);
    Waiting.until(LIMIT, () -> scene.consumer.held() > 0, () -> "Nothing is sent");

    server.kill();

    long committed = audit.count("committed"); // also what a check-back has committed
    assertThat(committed).isGreaterThanOrEqualTo(COMMITS);
    assertThat(audit.unsent()).isEqualTo(committed);
    scene.consumer.release();
    server.start().awaitRunning();
    producer.stopSelling();
    scene.checkNothingWrong(audit);
    assertThat(scene.arrivals.count()).isGreaterThan(audit.sold().size()); // one came twice
  }

  @Thorough
  @Test
  void killedWhileItAsksAndThenAtAnyTimeUnderLoad() throws Exception {
    CentreServer first = scene.server();
    ProducerSettings open = scene.producer(first).answering(Answering.NEVER);
    scene.kill(open.selling("s-sold", 1).stopping(ProducerPoint.AFTER_TRANSACTION, 3));
    ProducerProcess asked = scene.start(scene.producer(first).stopping(ProducerPoint.ASKED, 0));
    asked.await(Tripwire.SIGN);

    first.kill();

    asked.goOn();
    asked.await(AskedProducer.ANSWER + "COMMITTED"); // which nobody hears
    CentreAudit audit = scene.audit("s");
    assertThat(audit.state("s-sold-0-4")).isEqualTo("prepared");
    CentreServer second = scene.server();
    first.start().awaitRunning();
    ProducerProcess loaded = killInTurn(List.of(first, second));
    scene.checkNothingWrong(audit);
    assertThat(loaded.count(AskedProducer.ANSWER)).isPositive();
    assertThat(asked.count(AskedProducer.ANSWER)).isGreaterThanOrEqualTo(2);
    assertThat(scene.arrivals.firsts()).containsKey("s-sold-0-4");
  }

  private ProducerProcess killInTurn(List<CentreServer> servers) throws Exception {
    long seed = System.nanoTime();
    System.out.println("Kills of servers with seed " + seed);
    Random random = new Random(seed);
    ProducerProcess producer =
        scene.start(
            scene
                .producer(servers.toArray(CentreServer[]::new))
                .askedAt(scene.otherPort)
                .selling("s-load", 8));
    for (int i = 0; i < KILLS; i++) {
      scene.awaitSold(scene.sold() + 20 + random.nextInt(80));
      LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(random.nextInt(20_000)));
      CentreServer victim = servers.get(i % servers.size());
      victim.kill();
      scene.awaitSold(scene.sold() + 20); // the other one goes on
      victim.start().awaitRunning();
    }
    producer.stopSelling();
    assertThat(producer.count(OrderProducer.FAILED)).isPositive();
    return producer;
  }
}
