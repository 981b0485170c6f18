package io.angarium.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.crash.CentreAudit.Findings;
import io.angarium.crash.ProducerSettings.Answering;
import io.angarium.testservers.FaultProxy;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.SharedServers;
import io.angarium.testservers.Thorough;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Producers of the message centre that are killed; the centre asks them when they are back. */
@RequiresServer(Server.POSTGRESQL)
class ProducerCrashTest {
  private static final int PASSES = 3;
  private static final int KILLS = 4;

  /** So many that hardly a kill finds nothing under way. */
  private static final int SELLERS = 8;

  @TempDir static Path folder;

  private static CentreScene scene;
  private static CentreServer server;

  @BeforeAll
  static void start() throws Exception {
    scene = new CentreScene(folder, SharedServers.postgres());
    server = scene.server();
  }

  @AfterAll
  static void stop() {
    scene.close();
  }

  /** One that has sold three orders and stands in the fourth. */
  private static ProducerProcess stopped(String name, ProducerPoint point, Answering answering)
      throws Exception {
    ProducerSettings settings = scene.producer(server).answering(answering);
    ProducerProcess stopped = scene.start(settings.selling(name, 1).stopping(point, PASSES));
    stopped.await(Tripwire.SIGN + point);
    return stopped;
  }

  private static ProducerProcess restarted() throws Exception {
    return scene.start(scene.producer(server));
  }

  @Test
  void killedAfterThePrepareIsRolledBackByTheMarker() throws Exception {
    CentreAudit audit = scene.audit("prepared");
    stopped("prepared", ProducerPoint.AFTER_PREPARE, Answering.NEVER).kill();
    assertThat(audit.state("prepared-0-4")).isEqualTo("prepared");

    try (ProducerProcess restarted = restarted()) {
      Findings findings = audit.atEnd();

      assertThat(findings).isEqualTo(Findings.NONE);
      assertThat(restarted.count(AskedProducer.ANSWER + "ROLLED_BACK")).isPositive();
      assertThat(audit.sold()).hasSize(PASSES);
      assertThat(audit.state("prepared-0-4")).isEqualTo("rolled back");
    }
  }

  @Test
  void killedInItsTransactionIsWaitedForAndThenRolledBack() throws Exception {
    CentreAudit audit = scene.audit("open");
    try (ProducerProcess victim =
        stopped("open", ProducerPoint.IN_TRANSACTION, Answering.BY_MARKERS)) {
      victim.await(AskedProducer.ANSWER + "IN_FLIGHT");
      assertThat(audit.state("open-0-4")).isEqualTo("prepared");
    }

    try (ProducerProcess restarted = restarted()) {
      Findings findings = audit.atEnd();

      assertThat(findings).isEqualTo(Findings.NONE);
      assertThat(restarted.count(AskedProducer.ANSWER + "ROLLED_BACK")).isPositive();
      assertThat(audit.sold()).hasSize(PASSES);
    }
  }

  @Test
  void killedAfterItsTransactionIsDeliveredByTheMarker() throws Exception {
    CentreAudit audit = scene.audit("sold");
    stopped("sold", ProducerPoint.AFTER_TRANSACTION, Answering.NEVER).kill();
    assertThat(audit.state("sold-0-4")).isEqualTo("prepared");
    assertThat(audit.sold()).containsKey("sold-0-4");

    try (ProducerProcess restarted = restarted()) {
      Findings findings = audit.atEnd();

      assertThat(findings).isEqualTo(Findings.NONE);
      assertThat(restarted.count(AskedProducer.ANSWER + "COMMITTED")).isPositive();
      assertThat(scene.arrivals.firsts()).containsKey("sold-0-4");
    }
  }

  /** As {@link #stopped} after the transaction, and then lets the call go on its way. */
  private static void killedWhileItCalls(String name, FaultProxy.Way silent, String state)
      throws Exception {
    try (FaultProxy proxy = FaultProxy.to("127.0.0.1", server.port())) {
      ProducerSettings settings =
          scene
              .producer(server)
              .at("http://127.0.0.1:" + proxy.port())
              .answering(Answering.NEVER)
              .selling(name, 1)
              .stopping(ProducerPoint.AFTER_TRANSACTION, PASSES);
      try (ProducerProcess victim = scene.start(settings)) {
        victim.await(Tripwire.SIGN);
        proxy.blackhole(silent);
        victim.goOn();
        victim.await(Tripwire.GOES_ON);
        scene.awaitState(scene.audit(name), name + "-0-4", state);
      }
    }
  }

  @Test
  void killedBeforeItsCommitWasAnsweredIsDelivered() throws Exception {
    CentreAudit audit = scene.audit("unanswered");

    killedWhileItCalls("unanswered", FaultProxy.Way.TO_CLIENT, "committed");

    assertThat(audit.atEnd()).isEqualTo(Findings.NONE);
    assertThat(scene.arrivals.firsts()).containsKey("unanswered-0-4");
  }

  @Test
  void killedWithACommitThatNeverArrivedIsDelivered() throws Exception {
    CentreAudit audit = scene.audit("unheard");

    killedWhileItCalls("unheard", FaultProxy.Way.TO_SERVER, "prepared");

    try (ProducerProcess restarted = restarted()) {
      assertThat(audit.atEnd()).isEqualTo(Findings.NONE);
      assertThat(restarted.count(AskedProducer.ANSWER + "COMMITTED")).isPositive();
      assertThat(scene.arrivals.firsts()).containsKey("unheard-0-4");
    }
  }

  @Test
  void heldUpBeforeItsTransactionUntilItIsAskedCanNoLongerCommit() throws Exception {
    CentreAudit audit = scene.audit("late");
    try (ProducerProcess late =
        stopped("late", ProducerPoint.AFTER_PREPARE, Answering.BY_MARKERS)) {
      scene.awaitState(audit, "late-0-4", "rolled back");

      late.goOn();
      late.stopSelling();

      assertThat(audit.atEnd()).isEqualTo(Findings.NONE);
      assertThat(audit.sold()).doesNotContainKey("late-0-4");
      assertThat(late.count(OrderProducer.FAILED + "MarkerTakenException late-0-4")).isOne();
    }
  }

  @Thorough
  @Test
  void killedAtAnyTimeUnderLoadNothingIsLostAndNothingInvented() throws Exception {
    long seed = System.nanoTime();
    System.out.println("Kills of producers with seed " + seed);
    Random random = new Random(seed);
    int asked = 0;
    for (int i = 0; i < KILLS; i++) {
      try (ProducerProcess victim =
          scene.start(scene.producer(server).selling("load-" + i, SELLERS))) {
        scene.awaitSold(scene.sold() + 20 + random.nextInt(80));
        LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(random.nextInt(20_000)));
        victim.kill();
        asked += victim.count(AskedProducer.ANSWER); // perhaps for the one before
      }
    }

    CentreAudit audit = scene.audit("load");
    try (ProducerProcess restarted = restarted()) {
      assertThat(audit.atEnd()).isEqualTo(Findings.NONE);
      assertThat(asked + restarted.count(AskedProducer.ANSWER)).isPositive();
      assertThat(audit.sold()).hasSizeGreaterThan(KILLS * 20);
      assertThat(audit.count("rolled back")).isGreaterThan(KILLS);
    }
  }
}
