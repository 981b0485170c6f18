package io.angarium.testkit.memory;

import io.angarium.BusinessKey;
import io.angarium.Destination;
import io.angarium.Headers;
import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.desk.DestinationPage;
import io.angarium.desk.DueBucket;
import io.angarium.desk.FoundMessage;
import io.angarium.desk.KeyView;
import io.angarium.desk.MessageBrowser;
import io.angarium.desk.MessageDetails;
import io.angarium.desk.MessagePage;
import io.angarium.desk.MessageQuery;
import io.angarium.desk.MessageQuery.Order;
import io.angarium.desk.MessageRow;
import io.angarium.desk.Overview;
import io.angarium.desk.PartitionView;
import io.angarium.desk.RelayView;
import io.angarium.desk.Scanned;
import io.angarium.desk.SearchDepth;
import io.angarium.desk.Stage;
import io.angarium.intake.Partitioning;
import io.angarium.intake.StoredMessage;
import io.angarium.testkit.memory.DeskTables.Discarded;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What persons see of an {@link InMemoryDatabase}. Thread-safe. */
final class InMemoryMessageBrowser implements MessageBrowser {
  private static final Comparator<MessageRow> BY_SEQUENCE =
      Comparator.comparingLong((MessageRow row) -> row.position().sequence())
          .thenComparingInt(row -> row.position().partition());

  private static final Comparator<MessageRow> BY_TIME =
      Comparator.comparing(MessageRow::at).thenComparing(BY_SEQUENCE);

  private final Storage storage;
  private final InMemoryDeadLetters.Access access;
  private final Partitioning partitioning;
  private final DeskCounts counts;

  InMemoryMessageBrowser(
      Storage storage, InMemoryDeadLetters.Access access, Partitioning partitioning) {
    this.storage = storage;
    this.access = access;
    this.partitioning = partitioning;
    this.counts = new DeskCounts(storage, this::rows);
  }

  /** A message where it is. */
  private record Place(MessageRow row, StoredMessage message) {}

  private Stream<Place> places(Stage stage) {
    return switch (stage) {
      case WAITING -> storage.outbox.values().stream().map(row -> written(stage, row.message()));
      case DELAYED ->
          storage.delayed.values().stream()
              .map(row -> place(stage, row, dueAt(row), dueAt(row), null, false));
      case RETRYING ->
          storage.parked.rows().stream().filter(ParkedMessage::head).map(this::retrying);
      case HELD ->
          storage.parked.rows().stream()
              .filter(row -> !row.head())
              .map(row -> written(stage, row.message()));
      case DEAD ->
          storage.dead.values().stream()
              .map(
                  dead ->
                      place(
                          stage,
                          dead.message(),
                          dead.deadSince(),
                          null,
                          dead.reason(),
                          dead.blocksKey()));
      case SENT ->
          storage.sent.stream()
              .map(row -> place(stage, row.message(), row.at(), null, null, false));
      case UNCONFIRMED ->
          storage.desk.unconfirmed.values().stream()
              .map(row -> place(stage, row.message(), row.at(), row.dueAt(), null, false));
      case DISCARDED -> storage.desk.discarded.stream().map(this::discarded);
    };
  }

  private Place written(Stage stage, StoredMessage message) {
    return place(stage, message, message.createdAt(), null, null, false);
  }

  private Place retrying(ParkedMessage row) {
    return place(
        Stage.RETRYING,
        row.message(),
        storage.parked.lastAttempt(row),
        row.dueAt(),
        row.error(),
        row.message().isKeyed());
  }

  private Place discarded(Discarded row) {
    return place(
        Stage.DISCARDED, row.message(), row.at(), null, row.by().decision().reason(), false);
  }

  private static Instant dueAt(StoredMessage delayed) {
    return Objects.requireNonNull(delayed.message().notBefore());
  }

  private Place place(
      Stage stage,
      StoredMessage stored,
      Instant at,
      @Nullable Instant dueAt,
      @Nullable String error,
      boolean blocksKey) {
    Message message = stored.message();
    BusinessKey business = message.business();
    MessageRow row =
        new MessageRow(
            stage,
            stored.position(),
            stored.id(),
            message.destination().toString(),
            message.key(),
            message.type(),
            business == null ? null : business.type(),
            business == null ? null : business.key(),
            message.createdBy(),
            storage.updatedBy.get(stored.id()),
            message.payload().length,
            stored.attempts(),
            stored.createdAt(),
            at,
            dueAt,
            error,
            blocksKey);
    return new Place(row, stored);
  }

  private List<MessageRow> rows(Stage stage, Order order) {
    Comparator<MessageRow> oldest =
        switch (stage) {
          case WAITING, RETRYING, HELD -> BY_SEQUENCE;
          default -> BY_TIME;
        };
    return places(stage)
        .map(Place::row)
        .sorted(order == Order.OLDEST ? oldest : oldest.reversed())
        .toList();
  }

  @Override
  public Overview overview(int countMax) {
    int checked = Overview.requireCountMax(countMax);
    return access.call(StoreCall.BROWSE, () -> counts.overview(checked));
  }

  @Override
  public DestinationPage destinations() {
    return access.call(StoreCall.BROWSE, counts::destinations);
  }

  @Override
  public RelayView relay() {
    return access.call(StoreCall.BROWSE, counts::relay);
  }

  @Override
  public RelayView members() {
    return access.call(StoreCall.BROWSE, counts::members);
  }

  @Override
  public List<DueBucket> calendar(Instant from, Instant to, Duration step) {
    DeskCounts.requireSpans(from, to, step);
    return access.call(StoreCall.BROWSE, () -> counts.calendar(from, to, step));
  }

  @Override
  public MessagePage search(MessageQuery query) {
    Cursor after = Cursor.of(query);
    return access.call(StoreCall.BROWSE, () -> search(query, after));
  }

  private MessagePage search(MessageQuery query, @Nullable Cursor after) {
    List<MessageRow> found = new ArrayList<>();
    String next = query.cursor();
    Instant until = null;
    int rows = 0;
    for (MessageRow row : rows(query.stage(), query.order())) {
      if (after != null && !after.isBefore(row)) {
        continue;
      }
      boolean full = found.size() == query.limit();
      if (full || rows == query.budget().rowsMax()) {
        return new MessagePage(found, next, new Scanned(rows, until, full), storage.now());
      }
      rows++;
      until = row.at();
      next = Cursor.behind(row, query.order());
      if (query.filter().test(row) && query.permitted().test(row)) {
        found.add(row);
      }
    }
    return new MessagePage(found, null, new Scanned(rows, until, true), storage.now());
  }

  /** The row that the page before ended with. */
  private record Cursor(Stage stage, Order order, Instant at, long sequence, int partition) {
    private static final Pattern TEXT =
        Pattern.compile("([A-Z]+) ([A-Z]+) ([^ ]+) (\\d{1,18}) (-?\\d{1,9})");

    static String behind(MessageRow row, Order order) {
      return "%s %s %s %d %d"
          .formatted(
              row.stage(), order, row.at(), row.position().sequence(), row.position().partition());
    }

    static @Nullable Cursor of(MessageQuery query) {
      String text = query.cursor();
      if (text == null) {
        return null;
      }
      Matcher parts = TEXT.matcher(text);
      if (!parts.matches()
          || !parts.group(1).equals(query.stage().name())
          || !parts.group(2).equals(query.order().name())) {
        throw new IllegalArgumentException(
            "cursor: '%s' (expected: one of a search of %s, %s)"
                .formatted(text, query.stage(), query.order()));
      }
      return new Cursor(
          query.stage(),
          query.order(),
          Instant.parse(parts.group(3)),
          Long.parseLong(parts.group(4)),
          Integer.parseInt(parts.group(5)));
    }

    boolean isBefore(MessageRow row) {
      int bySequence = Long.compare(sequence, row.position().sequence());
      int byPlace =
          bySequence == 0 ? Integer.compare(partition, row.position().partition()) : bySequence;
      int byTime =
          switch (stage) {
            case WAITING, RETRYING, HELD -> 0;
            default -> at.compareTo(row.at());
          };
      int compared = byTime == 0 ? byPlace : byTime;
      return order == Order.OLDEST ? compared < 0 : compared > 0;
    }
  }

  @Override
  public FoundMessage find(MessageId id, SearchDepth depth) {
    return access.call(
        StoreCall.BROWSE,
        () ->
            new FoundMessage(
                id,
                Arrays.stream(Stage.values())
                    .flatMap(this::places)
                    .filter(place -> place.message().id().equals(id))
                    .map(place -> new MessageDetails(place.row(), headers(place)))
                    .toList(),
                true,
                storage.now()));
  }

  private static Headers headers(Place place) {
    return place.message().message().headers();
  }

  @Override
  public Optional<byte[]> payload(MessageRow row, long from, int bytesMax) {
    if (from < 0) {
      throw new IllegalArgumentException("from: " + from + " (expected: 0 or more)");
    }
    if (bytesMax < 1 || bytesMax > PAYLOAD_BYTES_MAX) {
      throw new IllegalArgumentException(
          "bytesMax: " + bytesMax + " (expected: 1.." + PAYLOAD_BYTES_MAX + ")");
    }
    return access.call(
        StoreCall.BROWSE,
        () ->
            places(row.stage())
                .filter(place -> place.row().position().equals(row.position()))
                .filter(place -> place.message().id().equals(row.id()))
                .findFirst()
                .map(place -> slice(place.message().message().payload(), from, bytesMax)));
  }

  private static byte[] slice(byte[] payload, long from, int bytesMax) {
    int begin = (int) Math.min(from, payload.length);
    return Arrays.copyOfRange(payload, begin, Math.min(begin + bytesMax, payload.length));
  }

  @Override
  public KeyView key(Destination destination, String key) {
    int partition = partitioning.ofKeyHash(Partitioning.keyHash(destination, key));
    String text = destination.toString();
    return access.call(
        StoreCall.BROWSE,
        () -> {
          Function<Stage, Stream<MessageRow>> ofKey =
              stage ->
                  places(stage)
                      .map(Place::row)
                      .filter(row -> key.equals(row.key()) && text.equals(row.destination()));
          List<MessageRow> rows =
              Stream.of(Stage.DEAD, Stage.RETRYING, Stage.HELD, Stage.WAITING)
                  .flatMap(ofKey)
                  .sorted(BY_SEQUENCE)
                  .limit(KeyView.ROWS_MAX + 1L)
                  .toList();
          boolean complete = rows.size() <= KeyView.ROWS_MAX;
          return new KeyView(
              destination,
              key,
              partition,
              storage.leases.partitions(storage.now()).stream()
                  .filter(each -> each.partition() == partition)
                  .map(PartitionView::node)
                  .filter(Objects::nonNull)
                  .findFirst()
                  .orElse(null),
              complete ? rows : rows.subList(0, KeyView.ROWS_MAX),
              complete,
              ofKey.apply(Stage.SENT).max(BY_TIME).orElse(null),
              storage.now());
        });
  }
}
