package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Message;
import io.angarium.intake.Handover;
import io.angarium.intake.MessageIntake;
import io.angarium.intake.StoredMessage;
import io.angarium.relay.Relay;
import io.angarium.testkit.fake.FakeTransport;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A relay, messages of one key that a database loses, and new ones in their places. No sweep runs:
 * it would hide what the relay does not notice.
 */
final class OldAndNew {
  static final int OLD = 20;
  private static final Duration TTL = Duration.ofMinutes(1);
  private static final Duration NO_SWEEP = Duration.ofDays(1);

  private final FakeTransport transport;
  private final List<String> wanted = new ArrayList<>();

  OldAndNew(FakeTransport transport) {
    this.transport = transport;
  }

  Relay start(JdbcDatabase database) {
    Relay relay =
        Relay.builder(database.store(), database.leases())
            .transport(transport)
            .config(RelayScene.config("a", TTL, NO_SWEEP))
            .build();
    relay.start();
    return relay;
  }

  void sendOld(JdbcDatabase database, Handover handover) {
    send(database, handover, OLD, "old");
  }

  void sendNew(JdbcDatabase database, int count) {
    send(database, Handover.NONE, count, "new");
    for (int i = 0; i < count; i++) {
      wanted.add("new " + i);
    }
  }

  private static void send(JdbcDatabase database, Handover handover, int count, String text) {
    JdbcOutbox outbox = database.outbox(MessageIntake.of("shop"), handover);
    for (int i = 0; i < count; i++) {
      byte[] payload = (text + " " + i).getBytes(StandardCharsets.UTF_8);
      outbox.inTransaction(
          (connection, messages) -> messages.send(Message.of("fake:orders", payload).key("k")));
    }
  }

  /** Commits one message. */
  void send(JdbcDatabase database, Handover handover, @Nullable String key) {
    database
        .outbox(MessageIntake.of("shop"), handover)
        .inTransaction(
            (connection, messages) ->
                messages.send(Message.of("fake:orders", new byte[] {1}).key(key)));
  }

  void awaitInFlight() {
    awaitInFlight(OLD);
  }

  void awaitInFlight(int count) {
    awaitTrue(() -> transport.inFlight().size() == count);
  }

  /**
   * The first attempt at the only message fails; the next one is in flight until it has a result.
   */
  void failFirstAttempt() {
    awaitInFlight(1);
    transport.resolve(transport.inFlight().get(0).id(), FakeTransport.Outcome.FAIL);
  }

  void awaitOldArrived() {
    awaitTrue(() -> transport.broker().stored().size() == OLD);
  }

  /** What was in flight has its result now. */
  void acknowledge() {
    transport.automatic(); // first: what is sent in between would have no result
    transport.acknowledgeAll();
  }

  void assertNewArrived(DataSource database) {
    awaitTrue(() -> rows(database) == 0 && transport.inFlight().isEmpty());
    assertThat(arrived()).containsExactlyElementsOf(wanted);
  }

  /** Nothing is sent again meanwhile: what is sent is in flight, or stored a second time. */
  void assertAllArrivedOnce(DataSource database) {
    awaitTrue(() -> rows(database) == 0 && transport.inFlight().isEmpty());
    assertThat(transport.broker().stored()).extracting(StoredMessage::id).doesNotHaveDuplicates();
  }

  private static long rows(DataSource database) {
    return EmptyDatabase.number(
        database, "SELECT (SELECT count(*) FROM outbox) + (SELECT count(*) FROM outbox_parked)");
  }

  /** The first copy of each new message, in their order. */
  private List<String> arrived() {
    return transport.broker().stored().stream()
        .map(OldAndNew::text)
        .filter(text -> text.startsWith("new"))
        .distinct()
        .toList();
  }

  private static String text(StoredMessage row) {
    return new String(row.message().payload(), StandardCharsets.UTF_8);
  }

  static void awaitTrue(BooleanSupplier condition) {
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("time that is left").isLessThan(until);
      LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
    }
  }
}
