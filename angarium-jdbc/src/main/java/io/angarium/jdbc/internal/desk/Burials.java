package io.angarium.jdbc.internal.desk;

import io.angarium.Destination;
import io.angarium.MessageId;
import io.angarium.desk.ActBy;
import io.angarium.desk.DestinationPause;
import io.angarium.desk.FoundMessage;
import io.angarium.desk.MessageBrowser;
import io.angarium.desk.MessageDetails;
import io.angarium.desk.MessageFilter;
import io.angarium.desk.MessagePage;
import io.angarium.desk.MessageQuery;
import io.angarium.desk.MessageRow;
import io.angarium.desk.SearchDepth;
import io.angarium.desk.Stage;
import io.angarium.intake.Partitioning;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.session.Transaction;
import io.angarium.jdbc.internal.sql.ParkedKey;
import io.angarium.jdbc.internal.write.DeadLetterActs;
import io.angarium.store.DeadEntry;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Makes messages dead letters that no relay has in its hands, as their destination is paused.
 * Thread-safe.
 */
final class Burials {
  private static final List<Stage> UNDELIVERED = List.of(Stage.RETRYING, Stage.HELD, Stage.WAITING);

  private final Dialect server;
  private final MessageBrowser messages;
  private final JdbcPauses pauses;
  private final DeadLetterActs letters;

  Burials(Dialect server, MessageBrowser messages, JdbcPauses pauses) {
    this.server = server;
    this.messages = messages;
    this.pauses = pauses;
    this.letters = new DeadLetterActs(server);
  }

  /**
   * Finds the messages that are not delivered yet: by a search, and where that has not looked at
   * everything, one by one by the times in their ids. Takes connections of its own.
   */
  Map<MessageId, MessageRow> find(Set<MessageId> ids) {
    Map<MessageId, MessageRow> found = new LinkedHashMap<>();
    boolean everywhere = true;
    for (Stage stage : UNDELIVERED) {
      List<MessageId> wanted = ids.stream().filter(id -> !found.containsKey(id)).toList();
      for (int from = 0; from < wanted.size(); from += MessageFilter.IDS_MAX) {
        int to = Math.min(wanted.size(), from + MessageFilter.IDS_MAX);
        MessagePage page = search(stage, Set.copyOf(wanted.subList(from, to)));
        page.rows().forEach(row -> found.put(row.id(), row));
        everywhere &= page.next() == null && page.scanned().complete();
      }
    }
    if (!everywhere) {
      for (MessageId id : ids) {
        MessageRow row = found.containsKey(id) ? null : likely(id);
        if (row != null) {
          found.put(id, row);
        }
      }
    }
    return found;
  }

  private MessagePage search(Stage stage, Set<MessageId> ids) {
    return messages.search(
        MessageQuery.newest(stage, MessageFilter.ofIds(ids), MessageQuery.LIMIT_MAX));
  }

  private @Nullable MessageRow likely(MessageId id) {
    FoundMessage found = messages.find(id, SearchDepth.LIKELY);
    return found.places().stream()
        .map(MessageDetails::row)
        .filter(row -> UNDELIVERED.contains(row.stage()))
        .findFirst()
        .orElse(null);
  }

  /**
   * Buries those whose destinations are held.
   *
   * @param refused gets the others, each with the reason
   * @return which of them are dead now
   */
  List<UUID> bury(
      Connection connection, List<MessageRow> rows, ActBy by, Map<MessageId, String> refused)
      throws SQLException {
    Instant now = pauses.lock(connection);
    List<DestinationPause> inForce = pauses.inForce(connection);
    List<MessageRow> held = new ArrayList<>();
    for (MessageRow row : rows) {
      String why = DestinationPause.whyNotHeld(inForce, row.destination(), now);
      if (why == null) {
        held.add(row);
      } else {
        refused.put(row.id(), why);
      }
    }
    if (held.isEmpty()) {
      return List.of();
    }
    letters.lockPartitions(
        connection, held.stream().map(row -> row.position().partition()).toList());
    String reason = "buried by " + by.decision().by() + ": " + by.decision().reason();
    List<DeadEntry> entries = held.stream().map(row -> entry(row, reason)).toList();
    Transaction.runAll(connection, server.deadLetters().bury(entries));
    letters.chooseHeads(
        connection,
        entries.stream()
            .filter(DeadEntry::keyed)
            .map(each -> ParkedKey.of(each.position().partition(), each.keyHash()))
            .distinct()
            .toList());
    return letters.deadOf(connection, held.stream().map(row -> row.id().value()).toList());
  }

  private static DeadEntry entry(MessageRow row, String reason) {
    String key = row.key();
    long hash = key == null ? 0 : Partitioning.keyHash(Destination.parse(row.destination()), key);
    return new DeadEntry(row.position(), hash, key != null, row.attempts(), reason, false);
  }
}
