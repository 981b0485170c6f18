package io.angarium.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.crash.CentreAudit.Findings;
import io.angarium.crash.ProducerSettings.Answering;
import io.angarium.half.HalfKey;
import io.angarium.http.half.HalfWireFormat;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.SharedServers;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A producer that is away, or that knows nothing, for longer than limit and pauses together. */
@RequiresServer(Server.POSTGRESQL)
class ProducerAwayTest {
  /** Of answers that know nothing; three are the limit here. */
  private static final int LONG_AWAY = 4;

  private static final Duration LIMIT = Duration.ofSeconds(90);
  private static final String SOLD = "away-sold-0-4";
  private static final String NOT_SOLD = "away-open-0-2";

  @TempDir Path folder;

  private CentreScene scene;
  private CentreServer server;
  private CentreAudit audit;

  @BeforeEach
  void start() throws Exception {
    scene = new CentreScene(folder, SharedServers.postgres());
    server = scene.server();
    audit = scene.audit("away");
    // two that nobody has decided: one whose order is committed, one whose order is not
    ProducerSettings one = scene.producer(server).answering(Answering.NEVER);
    scene.kill(one.selling("away-sold", 1).stopping(ProducerPoint.AFTER_TRANSACTION, 3));
    scene.kill(one.selling("away-open", 1).stopping(ProducerPoint.IN_TRANSACTION, 1));
    assertThat(audit.sold()).containsKey(SOLD).doesNotContainKey(NOT_SOLD);
    assertUndelivered("prepared");
  }

  @AfterEach
  void stop() {
    scene.close();
  }

  private void assertUndelivered(String state) throws Exception {
    assertThat(audit.state(SOLD)).isEqualTo(state);
    assertThat(audit.state(NOT_SOLD)).isEqualTo(state);
    assertThat(scene.arrivals.firsts()).doesNotContainKeys(SOLD, NOT_SOLD);
  }

  /** How often the producer was asked for that one in vain. */
  private long inVain(String key) throws Exception {
    return scene.centre.number(
        "SELECT COALESCE(MAX(unreachable), 0) FROM outbox_half_check c, outbox_half h"
            + " WHERE h.id = c.id AND h.half_key = '"
            + key
            + "'");
  }

  private void checkDecided() throws Exception {
    Findings findings = audit.atEnd();

    assertThat(findings).isEqualTo(Findings.NONE);
    assertThat(scene.arrivals.firsts()).containsKey(SOLD).doesNotContainKey(NOT_SOLD);
    assertThat(audit.state(NOT_SOLD)).isEqualTo("rolled back");
  }

  @Test
  void producerThatNobodyFindsIsAskedAgainForAsLongAsItTakes() throws Exception {
    Waiting.until(
        LIMIT,
        () -> inVain(SOLD) >= LONG_AWAY && inVain(NOT_SOLD) >= LONG_AWAY,
        () -> "Not asked so often in vain");
    Waiting.until(
        LIMIT, () -> server.count("have found nobody for") > 0, () -> "Nobody is told of it");
    assertUndelivered("prepared");

    try (ProducerProcess back = scene.start(scene.producer(server))) {
      checkDecided();
      assertThat(back.count(AskedProducer.ANSWER)).isGreaterThanOrEqualTo(2);
    }
  }

  @Test
  void producerThatKnowsNothingLeavesItToAPersonWhoHasItAskedAgain() throws Exception {
    try (ProducerProcess knowingNothing =
        scene.start(scene.producer(server).answering(Answering.UNKNOWN))) {
      scene.awaitState(audit, SOLD, "unresolved");
      scene.awaitState(audit, NOT_SOLD, "unresolved");
      Waiting.until(
          LIMIT,
          () -> knowingNothing.count(AskedProducer.ANSWER + "UNKNOWN") >= 6,
          () -> "Not asked three times for each");
    }
    Waiting.until(LIMIT, () -> server.count("is unresolved") >= 2, () -> "Nobody is told of both");
    assertThat(server.count("is unresolved")).isEqualTo(2);
    assertThat(get("/v1/unresolved")).contains(SOLD, NOT_SOLD);
    assertUndelivered("unresolved");

    try (ProducerProcess back = scene.start(scene.producer(server))) {
      assertThat(back.count(AskedProducer.ANSWER)).isZero();
      resume(SOLD);
      resume(NOT_SOLD);

      checkDecided();
      assertThat(back.count(AskedProducer.ANSWER)).isGreaterThanOrEqualTo(2);
    }
    assertThat(get("/v1/unresolved")).doesNotContain("away");
  }

  private void resume(String key) throws Exception {
    String path = HalfWireFormat.path(new HalfKey(OrderProducer.BUSINESS, key)) + "/decision";
    String answer =
        send(
            request(path)
                .header("content-type", "application/json")
                .POST(
                    BodyPublishers.ofString(
                        "{\"step\":\"resume\",\"by\":\"Ada\",\"reason\":\"it is back\"}")));
    assertThat(answer).contains("\"PREPARED\"");
  }

  private String get(String path) throws Exception {
    return send(request(path).GET());
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(server.address() + path))
        .header("authorization", "Bearer " + CentreServer.KEY);
  }

  private static String send(HttpRequest.Builder request) throws Exception {
    return HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString()).body();
  }
}
