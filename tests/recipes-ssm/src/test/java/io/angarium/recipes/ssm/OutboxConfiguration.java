package io.angarium.recipes.ssm;

import io.angarium.Outbox;
import io.angarium.intake.MessageIntake;
import io.angarium.jdbc.JdbcDatabase;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.rabbitmq.RabbitConfig;
import io.angarium.rabbitmq.RabbitTransport;
import io.angarium.relay.Relay;
import io.angarium.spring.SpringOutbox;
import javax.sql.DataSource;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration
public class OutboxConfiguration {
  @Bean
  public JdbcDatabase outboxDatabase(DataSource dataSource) {
    return JdbcDatabase.open(dataSource, JdbcConfig.DEFAULTS.schemaMode(SchemaMode.CREATE));
  }

  @Bean(initMethod = "start", destroyMethod = "close")
  public Relay relay(JdbcDatabase database, @Value("${rabbitmq.uri}") String uri) {
    return Relay.builder(database.store(), database.leases())
        .transport(RabbitTransport.open(RabbitConfig.of(uri)))
        .build();
  }

  @Bean
  public Outbox outbox(DataSource dataSource, JdbcDatabase database, Relay relay) {
    return new SpringOutbox(dataSource, MessageIntake.of("shop"), database.writer(), relay);
  }
}
