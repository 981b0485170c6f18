package io.angarium.examples.consoledemo.scene;

import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.TimeSource;
import io.angarium.confirmation.ConfirmationDesk;
import io.angarium.desk.ActBy;
import io.angarium.desk.MessageFilter;
import io.angarium.desk.MessageQuery;
import io.angarium.desk.MessageRow;
import io.angarium.desk.Stage;
import io.angarium.inbox.InboxKey;
import io.angarium.jdbc.JdbcDatabase;
import io.angarium.jdbc.JdbcInbox;
import io.angarium.jdbc.JdbcOutbox;
import io.angarium.reconciliation.Digest;
import io.angarium.reconciliation.Reconciliation;
import io.angarium.reconciliation.Report;
import io.angarium.reconciliation.ReportQuery;
import io.angarium.reconciliation.ReportShelf;
import io.angarium.reconciliation.Window;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * Parcels that a consumer has acknowledged without processing them, which only a reconciliation
 * finds, and shipments that nobody confirms. Thread-safe.
 */
public final class LostParcels {
  /** Parcels that were lost. */
  public static final int LOST = 12;

  /** The task that finds them. */
  public static final String TASK = "parcels";

  private static final String PARCELS = "kafka:parcels";
  private static final int SENT = 340;
  private static final int HOURS = 36;
  private static final int REPAIRED_HOUR = 20;
  private static final int REPAIRED = 3;
  private static final int SENT_AGAIN = 2;
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final long LOOK_NANOS = 50_000_000;

  private final JdbcDatabase database;
  private final JdbcInbox inbox;
  private final JdbcOutbox outbox;
  private final TimeSource time;

  /** Creates it; {@link #make} does the work. */
  public LostParcels(JdbcDatabase database, JdbcInbox inbox, JdbcOutbox outbox, TimeSource time) {
    this.database = database;
    this.inbox = inbox;
    this.outbox = outbox;
    this.time = time;
  }

  /** Makes all of it. Blocks for some seconds. */
  public void make() {
    ReportShelf shelf = database.reportShelf();
    Instant hour = time.instant().truncatedTo(ChronoUnit.HOURS);
    for (int ago = HOURS; ago > 0; ago--) {
      Window window = window(hour, ago);
      shelf.keep(TASK, PARCELS, ago == REPAIRED_HOUR ? lostBefore(window) : agrees(window, ago));
      shelf.keep("stock-movements", null, ago == 2 ? bookedTwice(window) : agrees(window, ago + 3));
    }
    shelf.repaired(
        TASK,
        window(hour, REPAIRED_HOUR),
        REPAIRED,
        "ada",
        "the consumer had been deployed with an empty handler, INC-4688");
    lose(shelf);
    sendShipmentsAgain();
  }

  /** The number of the report that names them. */
  public long report() {
    return database.reportDesk().page(new ReportQuery(TASK, true, null, 1)).get(0).id();
  }

  private static Window window(Instant hour, int ago) {
    return new Window(hour.minus(Duration.ofHours(ago)), hour.minus(Duration.ofHours(ago - 1)));
  }

  private static Report agrees(Window window, int seed) {
    Digest digest = new Digest(300 + seed * 37L % 90, seed);
    return new Report(window, digest, digest, List.of(), List.of(), List.of(), true);
  }

  private static Report lostBefore(Window window) {
    List<String> keys = IntStream.range(0, REPAIRED).mapToObj(i -> id(window, i)).toList();
    return new Report(
        window, new Digest(328, 1), new Digest(325, 2), keys, List.of(), List.of(), true);
  }

  private static Report bookedTwice(Window window) {
    return new Report(
        window,
        new Digest(311, 1),
        new Digest(314, 2),
        List.of(),
        List.of("order-51207"),
        List.of("order-51188", "order-51190"),
        true);
  }

  /** An id of a message that was sent in a window. */
  private static String id(Window window, int number) {
    long millis = window.from().plusSeconds(60L * number).toEpochMilli();
    return new UUID((millis << 16) | 0x7000L, 0x8000_0000_0000_0000L + number).toString();
  }

  /** Sends parcels, processes all but some of them, and compares. */
  private void lose(ReportShelf shelf) {
    Instant begin = time.instant().truncatedTo(ChronoUnit.MILLIS);
    List<MessageId> sent =
        outbox.inTransaction(
            (connection, all) ->
                IntStream.range(0, SENT).mapToObj(LostParcels::parcel).map(all::send).toList());
    sent.subList(LOST, SENT).forEach(id -> inbox.process(InboxKey.of(TASK, id), connection -> {}));
    awaitSent(sent);
    Reconciliation parcels = new Reconciliation(database.produced(PARCELS), inbox.consumed(TASK));
    Window window = new Window(begin, time.instant().plusMillis(1));
    shelf.keep(TASK, PARCELS, parcels.compare(window));
  }

  private static Message parcel(int index) {
    int number = 61_000 + index;
    return Message.of(PARCELS, Payloads.stock(index))
        .key("parcel-" + number)
        .type("parcel-packed")
        .business("order", Integer.toString(number))
        .header("content-type", "application/json");
  }

  /** What waits can be compared, but not be sent again. */
  private void awaitSent(List<MessageId> sent) {
    MessageFilter parcels =
        new MessageFilter(
            List.of(PARCELS),
            null,
            Set.of(),
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            0);
    long end = time.nanoTime() + PATIENCE.toNanos();
    while (!database
        .browser()
        .search(MessageQuery.newest(Stage.WAITING, parcels, 1))
        .rows()
        .isEmpty()) {
      if (time.nanoTime() - end > 0) {
        throw new IllegalStateException("The scene did not get " + sent.size() + " parcels sent");
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  private void sendShipmentsAgain() {
    ConfirmationDesk desk = database.confirmationDesk();
    MessageQuery oldest =
        MessageQuery.newest(Stage.UNCONFIRMED, MessageFilter.ALL, SENT_AGAIN)
            .order(MessageQuery.Order.OLDEST);
    List<MessageId> ids =
        database.browser().search(oldest).rows().stream().map(MessageRow::id).toList();
    if (!ids.isEmpty()) {
      desk.sendAgain(ids, ActBy.of("bob", "the carrier had an outage", ActBy.Via.PAGE));
    }
  }
}
