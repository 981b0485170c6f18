package io.angarium.recipes.threads;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.recipes.Application;
import io.angarium.recipes.Topic;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.SharedServers;
import io.angarium.testservers.TestDatabase;
import java.sql.SQLException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/** On a JDK without virtual threads Spring Boot ignores the property; the rest holds as well. */
@RequiresServer({Server.POSTGRESQL, Server.KAFKA})
class VirtualThreadsTest {
  private static final int GUESTS = 1_000;
  private static final int FIRST_WITH_VIRTUAL_THREADS = 21;

  private final TestDatabase database = SharedServers.postgres().freshDatabase();

  @Test
  void thousandThreadsSendOverTenConnections() throws SQLException {
    database.execute("CREATE TABLE guest (id INT PRIMARY KEY, thread VARCHAR(20) NOT NULL)");
    Topic topic = Topic.create("greetings");

    try (ConfigurableApplicationContext context =
        Application.of(GreetingApplication.class)
            .withoutJpa()
            .on(database)
            .with("spring.threads.virtual.enabled=true")
            .with("spring.datasource.hikari.maximum-pool-size=10")
            .start()) {
      Greeter greeter = context.getBean(Greeter.class);
      IntStream.range(0, GUESTS).forEach(greeter::greet);

      assertThat(topic.await(GUESTS)).doesNotHaveDuplicates().hasSize(GUESTS);
    }

    assertThat(database.number("SELECT COUNT(*) FROM guest WHERE thread = '%s'".formatted(kind())))
        .isEqualTo(GUESTS);
    assertThat(database.number("SELECT COUNT(*) FROM outbox")).isZero();
  }

  private static String kind() {
    return Runtime.version().feature() < FIRST_WITH_VIRTUAL_THREADS ? "platform" : "virtual";
  }
}
