package io.angarium.examples.consoledemo.scene;

import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.TimeSource;
import io.angarium.desk.ActBy;
import io.angarium.desk.AuditEntry;
import io.angarium.desk.Desk;
import io.angarium.desk.DestinationPause;
import io.angarium.desk.MessageFilter;
import io.angarium.jdbc.JdbcOutbox;
import io.angarium.operation.Operation;
import io.angarium.operation.OperationDesk;
import io.angarium.operation.OperationKind;
import io.angarium.operation.OperationPlan;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** Makes every trouble that an outbox can have, the same ones each time. Thread-safe. */
public final class ShopTroubles {
  /** Orders that are too large for their topic. */
  public static final int TOO_LARGE = 183;

  /** Counts that the stock answered with an error. */
  public static final int COUNTS_FAILED = 29;

  /** Messages to a transport whose name is misspelt. */
  public static final int MISSPELT = 7;

  /** The order whose key stands still. */
  public static final int STUCK_ORDER = 4711;

  /** Messages that wait behind the first one of that order. */
  public static final int HELD = 3;

  private static final int NEWSLETTERS = 14;
  private static final int REQUEUED = 12;
  private static final int UNCONFIRMED = 6;
  private static final int RETURNED = 9;
  private static final int HOURS_PLANNED = 24;

  /** Together with the hostile texts and the corrected invoice. */
  private static final int DEAD =
      TOO_LARGE + COUNTS_FAILED + NEWSLETTERS + HostileTexts.all().size() + 1;

  /** One order has a megabyte of articles. */
  private static final int LINES_OF_LARGEST = 9_100;

  private static final int LINES_TOO_MANY = 220;
  private static final String JSON = "application/json";
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final long LOOK_NANOS = 50_000_000;

  private final JdbcOutbox outbox;
  private final Desk desk;
  private final OperationDesk operations;
  private final SwitchedRetries retries;
  private final TimeSource time;

  /**
   * Creates it; {@link #make} does the work.
   *
   * @param outbox of the shop
   * @param desk where persons act
   * @param operations where persons act on many messages
   * @param retries become patient once the dead letters are there
   * @param time for waiting, and for what is planned
   */
  public ShopTroubles(
      JdbcOutbox outbox,
      Desk desk,
      OperationDesk operations,
      SwitchedRetries retries,
      TimeSource time) {
    this.outbox = outbox;
    this.desk = desk;
    this.operations = operations;
    this.retries = retries;
    this.time = time;
  }

  /** Makes all of them. Blocks for some seconds, until the messages are where they belong. */
  public void make() {
    List<MessageId> newsletters = send(NEWSLETTERS, ShopTroubles::newsletter);
    send(TOO_LARGE, ShopTroubles::tooLarge);
    send(COUNTS_FAILED, ShopTroubles::count);
    send(HostileTexts.all().size(), ShopTroubles::hostile);
    send(3, ShopTroubles::invoice);
    send(MISSPELT, ShopTroubles::misspelt);
    send(UNCONFIRMED, ShopTroubles::shipment);
    send(
        1,
        number ->
            Message.of(Trade.LABELS, Payloads.label())
                .type("label-printed")
                .header("content-type", "image/png"));
    plan();
    await("dead letters", () -> desk.messages().overview().dead().count() >= DEAD);
    retries.becomePatient();
    letPersonsAct(newsletters);
    stickKey();
    pause();
  }

  private List<MessageId> send(int count, IntFunction<Message> message) {
    return outbox.inTransaction(
        (connection, all) -> IntStream.range(0, count).mapToObj(message).map(all::send).toList());
  }

  private static Message tooLarge(int index) {
    int number = 30_000 + index;
    int lines = index == 0 ? LINES_OF_LARGEST : LINES_TOO_MANY + index;
    return order(Trade.ORDERS, Trade.ORDER_PLACED, number, Payloads.order(number, lines));
  }

  private static Message order(String destination, String type, int number, String payload) {
    return Message.of(destination, payload)
        .key("order-" + number)
        .type(type)
        .business("order", Integer.toString(number))
        .header("content-type", JSON);
  }

  private static Message count(int index) {
    return Message.of(Trade.STOCK, Payloads.stock(index))
        .key("article-" + index)
        .type(Trade.STOCK_COUNTED)
        .header("content-type", JSON);
  }

  private static Message newsletter(int index) {
    return Message.of(Trade.MAIL, Payloads.mail(index))
        .type(Trade.NEWSLETTER)
        .business("customer", "customer-" + index)
        .createdBy("marketing")
        .header("content-type", "text/plain");
  }

  private static Message hostile(int index) {
    String text = HostileTexts.all().get(index);
    return Message.of(Trade.NOTES, "{\"note\":\"\\u003cb>" + index + "\",\"card\":\"4111\"}")
        .key(text)
        .type(text.length() < 100 ? text : text.substring(0, 100))
        .business("note", text)
        .header("x-note", HostileTexts.HTML);
  }

  /** The first blocks the others, as invoices of one customer must not be sent without it. */
  private static Message invoice(int index) {
    return order(
            Trade.INVOICES,
            index == 0 ? Trade.INVOICE_CORRECTED : Trade.INVOICE_SENT,
            2_207 + index,
            Payloads.order(2_207 + index, 1))
        .key("customer-2207");
  }

  private static Message misspelt(int index) {
    return order(Trade.STOCK_MISSPELT, Trade.STOCK_MOVED, 6_100 + index, Payloads.stock(index));
  }

  private static Message shipment(int index) {
    return order(Trade.SHIPMENTS, "shipment-sent", 7_300 + index, Payloads.stock(index));
  }

  /** Reminders for the next day, more in some hours than in others. */
  private void plan() {
    Instant now = time.instant();
    List<Message> planned = new ArrayList<>();
    for (int hour = 0; hour < HOURS_PLANNED; hour++) {
      int count = 1 + hour * 7 % 9;
      for (int i = 0; i < count; i++) {
        int number = 8_000 + planned.size();
        Duration wait = Duration.ofHours(hour).plusMinutes(20 + 4L * i);
        planned.add(
            order(Trade.REMINDERS, "payment-reminder", number, Payloads.order(number, 1))
                .notBefore(now.plus(wait)));
      }
    }
    send(planned.size(), planned::get);
  }

  private void letPersonsAct(List<MessageId> newsletters) {
    ActBy ada = ActBy.of("ada", "the mail server takes them again, INC-4690", ActBy.Via.PAGE);
    ActBy bob = ActBy.of("bob", "these customers have left", ActBy.Via.PAGE);
    ActBy look = ActBy.of("bob", "customer 3 asked what was sent", ActBy.Via.PAGE);
    MessageFilter some = MessageFilter.ofIds(Set.copyOf(newsletters.subList(0, REQUEUED)));
    OperationPlan requeue =
        OperationPlan.of(UUID.randomUUID(), OperationKind.REQUEUE, some, time.instant(), ada);
    operations.begin(requeue.delay(Duration.ZERO));
    await(
        "an operation that is done",
        () ->
            operations
                .find(requeue.id())
                .filter(each -> each.state() == Operation.State.DONE)
                .isPresent());
    desk.audit()
        .note(
            AuditEntry.of(look, "reveal", AuditEntry.MESSAGE, newsletters.get(3).toString(), null));
    desk.acts().discard(newsletters.subList(REQUEUED, NEWSLETTERS), bob);
  }

  /** The returns desk moves to another server, and its messages wait. */
  private void pause() {
    ActBy ada = ActBy.of("ada", "the returns desk moves its server, CHG-118", ActBy.Via.PAGE);
    desk.pauses().pause(Trade.RETURNS, Duration.ofHours(1), ada);
    await(
        "a pause that is applied",
        () -> desk.pauses().pauses().stream().allMatch(DestinationPause::isAppliedEverywhere));
    send(
        RETURNED, number -> order(Trade.RETURNS, "order-returned", number, Payloads.stock(number)));
  }

  /** One order, sent to all that care; its reservation fails again and again. */
  private void stickKey() {
    String trace = "00-4bf92f3577b34da6a3ce929d0e0e4711-00f067aa0ba902b7-01";
    int number = STUCK_ORDER;
    String json = Payloads.order(number, 3);
    outbox.inTransaction(
        (connection, all) -> {
          all.send(
              order(Trade.ORDERS, Trade.ORDER_PLACED, number, json).header("traceparent", trace));
          all.send(order(Trade.ORDERS, Trade.ORDER_PAID, number, json));
          MessageId first = all.send(order(Trade.STOCK, Trade.STOCK_RESERVED, number, json));
          for (int i = 0; i < HELD; i++) {
            all.send(order(Trade.STOCK, Trade.STOCK_MOVED, number, Payloads.stock(i)));
          }
          return first;
        });
    await("a key that stands still", () -> desk.messages().overview().held().count() >= HELD);
  }

  private void await(String what, BooleanSupplier reached) {
    long end = time.nanoTime() + PATIENCE.toNanos();
    while (!reached.getAsBoolean()) {
      if (time.nanoTime() - end > 0) {
        throw new IllegalStateException("The scene did not get " + what);
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }
}
