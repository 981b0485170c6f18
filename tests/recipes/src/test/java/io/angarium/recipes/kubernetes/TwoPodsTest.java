package io.angarium.recipes.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.recipes.Application;
import io.angarium.recipes.Topic;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.SharedServers;
import io.angarium.testservers.TestDatabase;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

@RequiresServer({Server.POSTGRESQL, Server.KAFKA})
class TwoPodsTest {
  private static final int CUSTOMERS = 4;
  private static final int ORDERS_BEFORE = 200;
  private static final int ORDERS_AFTER = 100;
  private static final int OK = 200;

  /** What a cluster puts into pods if a service is called angarium. */
  private static final Map<String, String> SERVICE_LINKS =
      Map.of(
          "ANGARIUM_SERVICE_HOST", "10.0.0.1",
          "ANGARIUM_SERVICE_PORT", "8080",
          "ANGARIUM_PORT", "tcp://10.0.0.1:8080",
          "ANGARIUM_PORT_8080_TCP", "tcp://10.0.0.1:8080",
          "ANGARIUM_PORT_8080_TCP_ADDR", "10.0.0.1");

  private final TestDatabase database = SharedServers.postgres().freshDatabase();
  private final AtomicInteger placed = new AtomicInteger();
  private final AtomicBoolean refused = new AtomicBoolean();

  @Test
  void podThatIsTerminatedUnderLoadLosesNothingAndKeepsTheOrder() throws Exception {
    Topic topic = Topic.create(Orders.TOPIC);
    createCustomers();
    List<String> arguments =
        List.of(Application.of(Pod.class).withoutJpa().on(database).onTheWeb().arguments());

    try (PodProcess first = PodProcess.start(arguments, Map.of()).awaitReady();
        PodProcess second = PodProcess.start(arguments, SERVICE_LINKS).awaitReady()) {
      ExecutorService load = Executors.newFixedThreadPool(2 * CUSTOMERS);
      AtomicBoolean goOn = new AtomicBoolean(true);
      List<Future<?>> callers = new ArrayList<>();
      for (int i = 0; i < CUSTOMERS; i++) {
        String path = "/orders/customer" + i;
        callers.add(load.submit(() -> call(first, path, goOn)));
        callers.add(load.submit(() -> call(second, path, goOn)));
      }
      awaitPlaced(ORDERS_BEFORE);
      first.terminate();

      assertThat(first.ends(Deployment.read().gracePeriod())).as(first.output()).isTrue();
      assertThat(first.exitCode()).as("ended by SIGTERM").isEqualTo(128 + 15);
      awaitPlaced(placed.get() + ORDERS_AFTER);
      goOn.set(false);
      for (Future<?> caller : callers) {
        caller.get();
      }
      load.shutdown();

      assertThat(refused).as("callers of the first pod saw that it was gone").isTrue();
      List<String> messages = topic.await(orders());
      for (int i = 0; i < CUSTOMERS; i++) {
        String customer = "customer" + i;
        assertThat(messages.stream().filter(message -> message.startsWith(customer + " ")))
            .containsExactlyElementsOf(numbered(customer));
      }
    }
  }

  private void createCustomers() throws SQLException {
    database.execute("CREATE TABLE customer (id VARCHAR(20) PRIMARY KEY, orders INT NOT NULL)");
    for (int i = 0; i < CUSTOMERS; i++) {
      database.execute("INSERT INTO customer VALUES ('customer" + i + "', 0)");
    }
  }

  private void call(PodProcess pod, String path, AtomicBoolean goOn) {
    try {
      while (goOn.get()) {
        if (pod.post(path) == OK) {
          placed.incrementAndGet();
        }
      }
    } catch (IOException e) {
      refused.set(true);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void awaitPlaced(int orders) {
    long deadline = System.nanoTime() + Duration.ofMinutes(2).toNanos();
    while (placed.get() < orders) {
      assertThat(System.nanoTime()).as("%s orders in time", orders).isLessThan(deadline);
      LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
    }
  }

  /** Also those whose answer was lost. */
  private int orders() throws SQLException {
    return (int) database.number("SELECT SUM(orders) FROM customer");
  }

  private List<String> numbered(String customer) throws SQLException {
    String query = "SELECT orders FROM customer WHERE id = '" + customer + "'";
    return IntStream.rangeClosed(1, (int) database.number(query))
        .mapToObj(number -> customer + " " + number)
        .toList();
  }
}
