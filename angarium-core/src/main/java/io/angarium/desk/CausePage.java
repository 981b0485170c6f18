package io.angarium.desk;

import io.angarium.MessageId;
import io.angarium.StoreException;
import io.angarium.deadletter.DeadLetterPage;
import io.angarium.deadletter.DeadLetterPage.Looked;
import io.angarium.deadletter.DeadLetterQuery;
import io.angarium.deadletter.DeadLetterQuery.Order;
import io.angarium.deadletter.DeadLetterRow;
import io.angarium.deadletter.DeadLetters;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The newest dead letters, grouped by cause and destination. Immutable.
 *
 * @param groups the largest first
 * @param count how many dead letters were counted, also in groups that are left out
 * @param others how many of them belong to groups that are left out
 * @param looked how far the reading came; complete if older ones do not exist
 * @param now the database's clock at the reading
 */
public record CausePage(
    List<CauseGroup> groups, int count, int others, Looked looked, Instant now) {
  /** The most dead letters that are read. */
  public static final int ROWS_MAX = 10_000;

  /** The most groups of a page. */
  public static final int GROUPS_MAX = 200;

  /** Copies the list. */
  public CausePage {
    groups = List.copyOf(groups);
  }

  /**
   * Reads and groups the newest {@value #ROWS_MAX} dead letters, without payloads and headers. One
   * read; blocks for the time of {@link SearchBudget#DEFAULT} or little more.
   *
   * @param permitted which dead letters may be shown
   * @param limit how many groups, 1..{@link #GROUPS_MAX}
   * @throws IllegalArgumentException if the limit is out of range
   * @throws StoreException if the database cannot be reached
   */
  public static CausePage newest(
      MessageBrowser browser, MessageFilter filter, Predicate<MessageRow> permitted, int limit) {
    requireLimit(limit);
    Map<Key, Growing> groups = new LinkedHashMap<>();
    MessagePage page =
        browser.search(
            MessageQuery.newest(Stage.DEAD, filter, 1)
                .permitted(
                    row -> {
                      if (permitted.test(row)) {
                        String reason = String.valueOf(row.error());
                        Key key = new Key(Cause.of(reason), row.destination());
                        groups
                            .computeIfAbsent(key, any -> new Growing(row.id(), reason, row.at()))
                            .add(row.at(), row.blocksKey());
                      }
                      return false; // counted is enough
                    })
                .budget(new SearchBudget(ROWS_MAX, SearchBudget.DEFAULT.timeMax())));
    Scanned scanned = page.scanned();
    return of(
        groups, limit, new Looked(scanned.rows(), scanned.until(), scanned.complete()), page.now());
  }

  /**
   * Reads and groups the newest {@value #ROWS_MAX} dead letters, without payloads and headers. One
   * transaction; blocks for {@link DeadLetterQuery#TIME_DEFAULT} or little more.
   *
   * @param matches which rows are meant
   * @param limit how many groups, 1..{@link #GROUPS_MAX}
   * @throws IllegalArgumentException if the limit is out of range
   * @throws StoreException if the database cannot be reached
   */
  public static CausePage newest(DeadLetters dead, Predicate<DeadLetterRow> matches, int limit) {
    requireLimit(limit);
    Map<Key, Growing> groups = new LinkedHashMap<>();
    DeadLetterPage page =
        dead.search(
            new DeadLetterQuery(
                row -> {
                  if (matches.test(row)) {
                    Key key = new Key(Cause.of(row.reason()), row.destination());
                    groups
                        .computeIfAbsent(
                            key, any -> new Growing(row.id(), row.reason(), row.deadSince()))
                        .add(row.deadSince(), row.blocksKey());
                  }
                  return false; // counted is enough
                },
                Order.NEWEST,
                null,
                1,
                ROWS_MAX,
                DeadLetterQuery.TIME_DEFAULT));
    return of(groups, limit, page.looked(), page.now());
  }

  private static void requireLimit(int limit) {
    if (limit < 1 || limit > GROUPS_MAX) {
      throw new IllegalArgumentException("limit: " + limit + " (expected: 1.." + GROUPS_MAX + ")");
    }
  }

  private static CausePage of(Map<Key, Growing> groups, int limit, Looked looked, Instant now) {
    List<CauseGroup> largest =
        groups.entrySet().stream()
            .map(each -> each.getValue().group(each.getKey()))
            .sorted(Comparator.comparingInt(CauseGroup::count).reversed())
            .limit(limit)
            .toList();
    int count = groups.values().stream().mapToInt(group -> group.count).sum();
    int shown = largest.stream().mapToInt(CauseGroup::count).sum();
    return new CausePage(largest, count, count - shown, looked, now);
  }

  private record Key(Cause cause, String destination) {}

  private static final class Growing {
    private final MessageId sample;
    private final String reason;
    private Instant first;
    private Instant latest;
    private int count;
    private int blocking;

    Growing(MessageId sample, String reason, Instant since) {
      this.sample = sample;
      this.reason = reason;
      first = since;
      latest = since;
    }

    void add(Instant since, boolean blocks) {
      first = since.isBefore(first) ? since : first;
      latest = since.isAfter(latest) ? since : latest;
      count++;
      blocking += blocks ? 1 : 0;
    }

    CauseGroup group(Key key) {
      return new CauseGroup(
          key.cause(), key.destination(), count, blocking, first, latest, sample, reason);
    }
  }

  /**
   * Selects the dead letters of one cause.
   *
   * @param fingerprint of the cause; null for every cause
   */
  public static Predicate<DeadLetterRow> ofCause(@Nullable String fingerprint) {
    return row -> fingerprint == null || Cause.of(row.reason()).fingerprint().equals(fingerprint);
  }
}
