package io.angarium.tests.modulith;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.SharedServers;
import io.angarium.testservers.TestDatabase;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The application is killed, as by {@code kill -9}, and started again. */
@RequiresServer({Server.POSTGRESQL, Server.KAFKA})
class ModulithCrashTest {
  private static final int ORDERS_PER_LIFE = 150;
  private static final Path OUTPUT = Path.of("target", "shop-process.log").toAbsolutePath();

  private final TestDatabase database = SharedServers.postgres().freshDatabase();

  @BeforeEach
  void addCustomers() {
    try (RunningShop shop = start()) {
      ShopProcess.CUSTOMERS.forEach(shop.orders()::add);
    }
  }

  private RunningShop start() {
    return RunningShop.start(database, EventTopics.kafka().bootstrapServers());
  }

  @Test
  void whatWasCommittedArrivesInOrderWhereverTheApplicationIsKilled() throws Exception {
    // killed between the commits and anything sent
    placeAndKill("--angarium.relay.enabled=false");
    assertThat(database.number("SELECT COUNT(*) FROM outbox")).isGreaterThan(ORDERS_PER_LIFE);
    // killed in the middle of sending
    placeAndKill();
    placeAndKill();

    try (RunningShop again = start()) {
      again.awaitSent();
    }

    for (String customer : ShopProcess.CUSTOMERS) {
      List<Long> committed = LongStream.rangeClosed(1, number("orders", customer)).boxed().toList();
      assertThat(number("reservations", customer)).isEqualTo(committed.size());
      assertThat(EventTopics.numbers(EventTopics.ORDERS, customer)).isEqualTo(committed);
      assertThat(EventTopics.numbers(EventTopics.STOCK, customer)).isEqualTo(committed);
    }
  }

  private void placeAndKill(String... more) throws Exception {
    long goal = orders() + ORDERS_PER_LIFE;
    Process process = launch(more);
    try {
      Waiting.until(
          () -> {
            assertThat(process.isAlive()).as("alive; its words are in %s", OUTPUT).isTrue();
            return orders() >= goal;
          },
          goal + " orders");
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  private Process launch(String... more) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp"));
    command.addAll(List.of(System.getProperty("java.class.path"), ShopProcess.class.getName()));
    command.addAll(RunningShop.arguments(database, EventTopics.kafka().bootstrapServers()));
    command.addAll(List.of(more));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(Redirect.appendTo(OUTPUT.toFile()))
        .start();
  }

  private long orders() {
    try {
      return database.number("SELECT COUNT(*) FROM orders");
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private long number(String table, String customer) throws SQLException {
    return database.number(
        "SELECT COUNT(*) FROM " + table + " WHERE customer = '" + customer + "'");
  }
}
