package io.angarium.jdbc.internal.desk;

import io.angarium.Destination;
import io.angarium.desk.MessageActs.Correction;
import io.angarium.intake.Partitioning;
import io.angarium.intake.Position;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.write.DeadLetterActs;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Changes dead letters and requeues them in one transaction, under the leases of their partitions.
 *
 * <p>A letter that gets another destination or key moves to the partition of that one first, and
 * blocks no key there: the requeue then inserts it as any producer would, which needs no lease.
 * Payloads are not read. Thread-safe.
 */
final class Corrections {
  private record Letter(Position position, UUID id, String destination, @Nullable String key) {}

  private final Dialect server;
  private final ActDialect dialect;
  private final DeadLetterActs letters;
  private final Partitioning whenNotNoted;

  /**
   * Creates it.
   *
   * @param whenNotNoted how messages are spread over partitions before the first relay
   */
  Corrections(Dialect server, Partitioning whenNotNoted) {
    this.server = server;
    this.dialect = new ActDialect(server);
    this.letters = new DeadLetterActs(server);
    this.whenNotNoted = whenNotNoted;
  }

  List<Changed> correct(Connection connection, List<UUID> ids, Correction change, String by)
      throws SQLException {
    Map<UUID, String> details = new LinkedHashMap<>();
    List<UUID> corrected =
        letters.change(
            connection,
            ids,
            locked -> {
              List<Letter> found = lettersOf(connection, locked);
              found.forEach(each -> details.put(each.id(), change.changed(each.destination())));
              change(connection, locked, change);
              move(connection, found, change);
              letters.requeue(connection, locked, by);
            });
    return corrected.stream().map(id -> new Changed(id, details.get(id))).toList();
  }

  private void change(Connection connection, List<UUID> locked, Correction change)
      throws SQLException {
    if (change.payload() != null) {
      dialect.correctPayloads(locked, change.payload()).update(connection);
    }
    if (change.headers() != null) {
      dialect.correctHeaders(locked, change.headers().encode()).update(connection);
    }
  }

  private void move(Connection connection, List<Letter> found, Correction change)
      throws SQLException {
    if (change.destination() == null && change.key() == null) {
      return;
    }
    Partitioning partitioning = partitioning(connection);
    for (Letter letter : found) {
      move(connection, letter, change, partitioning);
    }
  }

  private void move(
      Connection connection, Letter letter, Correction change, Partitioning partitioning)
      throws SQLException {
    Destination given = change.destination(); // the former one may be none, written past the API
    Destination destination = given == null ? Destination.parse(letter.destination()) : given;
    String key = change.keyOf(letter.key());
    boolean stays =
        destination.toString().equals(letter.destination()) && Objects.equals(key, letter.key());
    if (stays) {
      return;
    }
    long hash = key == null ? 0 : Partitioning.keyHash(destination, key);
    int partition = key == null ? letter.position().partition() : partitioning.ofKeyHash(hash);
    dialect
        .moveDead(
            letter.position(), new ActDialect.Place(destination.toString(), key, hash, partition))
        .update(connection);
  }

  private Partitioning partitioning(Connection connection) throws SQLException {
    return server
        .leases()
        .partitioning()
        .query(connection, row -> new int[] {row.getInt(1), row.getInt(2)})
        .stream()
        .filter(numbers -> numbers[0] > 0 && numbers[1] > 0)
        .map(numbers -> new Partitioning(numbers[0], numbers[1]))
        .findFirst()
        .orElse(whenNotNoted);
  }

  private List<Letter> lettersOf(Connection connection, List<UUID> ids) throws SQLException {
    return dialect.deadOf(ids).query(connection, this::letter);
  }

  private Letter letter(ResultSet row) throws SQLException {
    return new Letter(
        new Position(row.getInt(1), row.getLong(2)),
        server.uuid(row, 3),
        row.getString(4),
        row.getString(5));
  }
}
