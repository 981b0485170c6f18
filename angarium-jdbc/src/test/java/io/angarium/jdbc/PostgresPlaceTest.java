package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.intake.Position;
import io.angarium.intake.StoredMessage;
import io.angarium.store.ReadLimit;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Rows are deleted where they were read, unless they are no longer there. */
@RequiresServer(Server.POSTGRESQL)
final class PostgresPlaceTest {
  private final PostgresScene scene = new PostgresScene();

  @AfterEach
  void close() {
    scene.close();
  }

  @Test
  void deletingWhereRowsWereReadAsksNoIndex() throws SQLException {
    EmptyDatabase.execute(scene.dataSource, "ANALYZE");
    scene.write(5_000);
    List<Position> read = read().subList(0, 1_000);

    try (Connection relay = scene.relayConnection()) {
      for (boolean history : new boolean[] {false, true}) {
        assertThat(scene.explain(relay, "", scene.dialect.outbox().deleteInPlace(read, history)))
            .contains("Tid Scan on outbox", "hashed SubPlan")
            .doesNotContain("Index", "Seq Scan", "Join", "Nested Loop");
      }
    }
  }

  @Test
  void exactlyTheRowsReadAreDeletedAndByOneStatement() throws SQLException {
    scene.write(20);
    List<Position> read = read();
    List<Position> sent = read.subList(5, 15);
    assertThat(sent).allMatch(position -> position.place() != 0);

    try (Connection connection = scene.dataSource.getConnection()) {
      assertThat(scene.dialect.outbox().deleteInPlace(sent, false).run(connection)).isEqualTo(10);
    }

    assertThat(read()).containsExactlyElementsOf(without(read, sent));
  }

  @Test
  void rowsThatMovedMeanwhileAreDeleted() throws SQLException {
    scene.write(20);
    List<Position> read = read();
    scene.store.delete(read.subList(0, 5));
    EmptyDatabase.execute(scene.dataSource, "VACUUM FULL outbox");
    assertThat(places(read())).doesNotContain(read.get(19).place());

    scene.store.delete(read.subList(5, 20));

    assertThat(read()).isEmpty();
  }

  @Test
  void anotherRowThatCameToThePlaceSurvives() throws SQLException {
    scene.write(1);
    Position first = read().get(0);
    scene.store.delete(List.of(new Position(first.partition(), first.sequence())));
    EmptyDatabase.execute(scene.dataSource, "VACUUM outbox");
    scene.write(1);
    Position second = read().get(0);
    assertThat(second.place()).isEqualTo(first.place());

    scene.store.delete(List.of(first));

    assertThat(read()).containsExactly(second);
  }

  @Test
  void positionsWithAndWithoutAPlaceGoTogether() throws SQLException {
    List<StoredMessage> written = scene.write(20);
    List<Position> read = read();
    List<Position> sent =
        List.of(read.get(3), new Position(read.get(4).partition(), read.get(4).sequence()));

    scene.store.delete(sent);

    assertThat(read()).hasSize(written.size() - 2).doesNotContainAnyElementsOf(sent);
  }

  private List<Position> read() {
    return scene
        .store
        .read(PostgresScene.everythingAfter(0), ReadLimit.rows(10_000))
        .rows()
        .stream()
        .map(StoredMessage::position)
        .toList();
  }

  private static List<Long> places(List<Position> positions) {
    return positions.stream().map(Position::place).toList();
  }

  private static List<Position> without(List<Position> all, List<Position> some) {
    return all.stream().filter(position -> !some.contains(position)).toList();
  }
}
