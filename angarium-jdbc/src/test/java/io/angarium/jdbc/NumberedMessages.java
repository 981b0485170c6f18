package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Destination;
import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.Outbox;
import io.angarium.intake.Handover;
import io.angarium.intake.MessageIntake;
import io.angarium.intake.StoredMessage;
import io.angarium.testkit.fake.FakeBroker;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Messages of some keys, and some without, that carry their number within the key: written in
 * transactions of ten, and compared with what arrived. Not thread-safe.
 */
final class NumberedMessages {
  private static final int KEYS = 20;
  private static final int IN_TRANSACTION = 10;

  private final String destination;
  private final JdbcOutbox outbox;
  private final Map<String, Integer> numbers = new HashMap<>();
  private final Set<MessageId> committed = new HashSet<>();

  NumberedMessages(String destination, JdbcDatabase database) {
    this.destination = destination;
    outbox = database.outbox(MessageIntake.of(null), Handover.NONE);
  }

  void write(int count) {
    write(count, message -> message);
  }

  void write(int count, UnaryOperator<Message> change) {
    for (int i = 0; i < count; i += IN_TRANSACTION) {
      committed.addAll(outbox.inTransaction((connection, out) -> send(out, change)));
    }
  }

  private List<MessageId> send(Outbox out, UnaryOperator<Message> change) {
    List<MessageId> ids = new ArrayList<>();
    for (int i = 0; i < IN_TRANSACTION; i++) {
      int key = (committed.size() + i) % KEYS;
      int number = numbers.merge("k" + key, 1, Integer::sum);
      byte[] payload = ("k" + key + ":" + number).getBytes(StandardCharsets.UTF_8);
      Message message = Message.of(destination, payload);
      ids.add(out.send(change.apply(key == 0 ? message : message.key("k" + key))));
    }
    return ids;
  }

  /** The number of a message within its key. */
  static int number(StoredMessage row) {
    String text = new String(row.message().payload(), StandardCharsets.UTF_8);
    return Integer.parseInt(text.substring(text.indexOf(':') + 1));
  }

  /** None lost, none invented, and every key in order as to when a message first appeared. */
  void assertArrived(FakeBroker broker) {
    Set<MessageId> seen = new HashSet<>();
    Map<String, Integer> last = new HashMap<>();
    List<String> disorder = new ArrayList<>();
    for (StoredMessage row : broker.stored(Destination.parse(destination))) {
      String key = row.message().key();
      if (seen.add(row.id()) && key != null) {
        int before = last.getOrDefault(key, 0);
        if (number(row) != before + 1) {
          disorder.add(key + ":" + number(row) + " after " + before);
        }
        last.put(key, number(row));
      }
    }
    assertThat(disorder).isEmpty();
    assertThat(seen).isEqualTo(committed);
  }
}
