package io.angarium.benchmarks.raw;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.benchmarks.arm.Outgoing;
import io.angarium.benchmarks.arm.Sender;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.SharedServers;
import io.angarium.testservers.TestDatabase;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

@RequiresServer(Server.POSTGRESQL)
class RawHandoffTest {
  private static final RawTable TABLE = RawTable.POSTGRESQL;
  private final BlockingQueue<String> sent = new LinkedBlockingQueue<>();

  @Test
  void pollSendsWhatNobodyHandedOver() throws Exception {
    TestDatabase database = SharedServers.postgres().freshDatabase();
    try (Connection connection = database.connect()) {
      TABLE.create(connection);
      RawHandoff relay = new RawHandoff(of(database), TABLE, new Noting());
      relay.start();
      relay.handOver(announced(relay, connection, "handed"));
      assertThat(sent.poll(30, TimeUnit.SECONDS)).isEqualTo("handed");

      RawTable.insert(connection, message("committed only"));
      relay.withdraw(announced(relay, connection, "of unknown outcome"));

      assertThat(sent.poll(30, TimeUnit.SECONDS)).isEqualTo("committed only");
      assertThat(sent.poll(30, TimeUnit.SECONDS)).isEqualTo("of unknown outcome");
      relay.stop();
      assertThat(sent).isEmpty();
      assertThat(RawTable.rows(TABLE.select(connection, "true"))).isEmpty();
    }
  }

  private static List<RawRow> announced(RawHandoff relay, Connection connection, String key)
      throws Exception {
    connection.setAutoCommit(false);
    List<RawRow> rows = TABLE.insertReturning(connection, message(key));
    relay.announce(rows);
    connection.commit();
    connection.setAutoCommit(true);
    return rows;
  }

  /** Opens a connection each time. */
  private static DataSource of(TestDatabase database) {
    return (DataSource)
        Proxy.newProxyInstance(
            DataSource.class.getClassLoader(),
            new Class<?>[] {DataSource.class},
            (proxy, method, arguments) -> database.connect());
  }

  private static List<Outgoing> message(String key) {
    return List.of(new Outgoing(0, key, "payload".getBytes(StandardCharsets.US_ASCII), false));
  }

  /** Acknowledges at once. */
  private final class Noting implements Sender {
    @Override
    public void send(@Nullable String key, byte[] payload, Consumer<@Nullable Throwable> done) {
      sent.add(Objects.requireNonNull(key));
      done.accept(null);
    }

    @Override
    public long acknowledged() {
      return sent.size();
    }

    @Override
    public void close() {}
  }
}
