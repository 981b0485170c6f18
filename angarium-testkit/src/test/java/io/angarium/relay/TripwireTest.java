package io.angarium.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Message;
import io.angarium.intake.StoredMessage;
import io.angarium.store.Invariant;
import io.angarium.store.LateRows;
import io.angarium.store.OutboxStore;
import io.angarium.store.ReadRows;
import io.angarium.testkit.fake.FakeTransport;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What must never happen is counted when it does, and mended as far as it can be. */
class TripwireTest {
  private final RelayFixture world = new RelayFixture(FakeTransport.pipelined());
  private boolean hidden = true;

  @Test
  void rowThatOnlyTheSweepFindsIsReportedAndSent() {
    world.storedIn(hiding(world.database.outboxStore()));
    Relay relay = world.relay("a");
    world.send("k", "hidden");
    world.pass(Duration.ofSeconds(10), relay);
    world.send("k", "later");
    world.pass(Duration.ofSeconds(10), relay);
    assertThat(world.received()).containsExactly("later");

    hidden = false;
    world.pass(Duration.ofSeconds(60), relay);

    assertThat(world.received()).containsExactly("later", "hidden");
    assertThat(world.broken).containsExactly(Invariant.OVERDUE);
  }

  @Test
  void rowsAboveTheSequenceAreReportedAndSentAtTheStart() {
    copyIn(250);

    world.pass(Duration.ofSeconds(5), world.relay("a"));

    assertThat(world.received()).hasSize(250).startsWith("copied 0", "copied 1");
    assertThat(world.broken).isNotEmpty().containsOnly(Invariant.SEQUENCE);
  }

  @Test
  void rowsAboveTheSequenceAreFoundWithTheSweepAndLaterOnesBelowThemAreSentSoon() {
    Relay relay = world.relay("a");
    world.send("k", "before");
    world.settle(relay);

    copyIn(3);
    world.pass(Duration.ofSeconds(70), relay);
    world.send("k", "below");
    world.pass(Duration.ofSeconds(5), relay);

    assertThat(world.received())
        .containsExactly("before", "copied 0", "copied 1", "copied 2", "below");
    assertThat(world.broken).containsExactly(Invariant.SEQUENCE);
  }

  private void copyIn(int messages) {
    world.database.copyIn(
        1_000,
        outbox -> {
          for (int i = 0; i < messages; i++) {
            byte[] payload = ("copied " + i).getBytes(StandardCharsets.UTF_8);
            outbox.send(Message.of(RelayFixture.ORDERS, payload).key("k"));
          }
        });
  }

  @Test
  void deletedRowsOfLeasesAreReportedAndPutBack() {
    Relay relay = world.relay("a");
    world.settle(relay);

    world.database.emptyLeases();
    world.pass(Duration.ofSeconds(10), relay);
    world.send("k", "sent");
    world.pass(Duration.ofSeconds(1), relay);

    assertThat(world.received()).containsExactly("sent");
    assertThat(world.broken).containsExactly(Invariant.LEASE_ROW);
  }

  @Test
  void nothingIsReportedOfWhatIsRight() {
    Relay relay = world.relay("a");
    world.send("k", "sent");
    world.transport.failNext(1);

    world.pass(Duration.ofSeconds(130), relay);

    assertThat(world.received()).containsExactly("sent");
    assertThat(world.broken).isEmpty();
  }

  private OutboxStore hiding(OutboxStore store) {
    return (OutboxStore)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {OutboxStore.class},
            (proxy, method, arguments) -> {
              try {
                return shown(method.invoke(store, arguments));
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private Object shown(Object answer) {
    if (hidden && answer instanceof ReadRows read) {
      return new ReadRows(shown(read.rows()), read.more());
    }
    if (hidden && answer instanceof LateRows late) {
      return new LateRows(shown(late.rows()), late.snapshot(), late.rest());
    }
    return answer;
  }

  private static List<StoredMessage> shown(List<StoredMessage> rows) {
    return rows.stream().filter(row -> !RelayFixture.text(row.message()).equals("hidden")).toList();
  }
}
