package io.angarium.recipes.testcontainers.kafka;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.ConfigurationException;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import org.junit.jupiter.api.Test;
import org.springframework.boot.builder.SpringApplicationBuilder;

@RequiresServer({Server.POSTGRESQL, Server.KAFKA})
class ContradictionTest {
  @Test
  void addressOfAnotherClusterStopsTheStart() {
    SpringApplicationBuilder shop =
        new SpringApplicationBuilder(ShopApplication.class, Containers.class);

    assertThatThrownBy(
            () ->
                shop.run(
                    "--angarium.jdbc.schema-mode=create",
                    "--angarium.kafka.bootstrap-servers=kafka.internal:9092"))
        .rootCause()
        .isInstanceOf(ConfigurationException.class)
        .hasMessageMatching(
            "(?s).*angarium\\.kafka\\.bootstrap-servers: kafka\\.internal:9092 \\(expected: not set, or"
                + " \\S+:\\d+ as the bean of KafkaConnectionDetails says.*");
  }
}
