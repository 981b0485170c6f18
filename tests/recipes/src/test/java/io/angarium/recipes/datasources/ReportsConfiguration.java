package io.angarium.recipes.datasources;

import io.angarium.intake.MessageIntake;
import io.angarium.jdbc.JdbcDatabase;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.kafka.KafkaConfig;
import io.angarium.kafka.KafkaTransport;
import io.angarium.relay.Relay;
import io.angarium.relay.settings.RelayConfig;
import io.angarium.spring.SpringOutbox;
import io.angarium.spring.operate.RelayLifecycle;
import javax.sql.DataSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class ReportsConfiguration {
  @Bean(defaultCandidate = false)
  JdbcDatabase reportsDatabase(@Qualifier("reportsDataSource") DataSource reports) {
    return JdbcDatabase.open(reports, JdbcConfig.DEFAULTS.schemaMode(SchemaMode.CREATE));
  }

  @Bean(defaultCandidate = false)
  RelayLifecycle reportsRelay(
      @Qualifier("reportsDatabase") JdbcDatabase database, RelayConfig config, KafkaConfig kafka) {
    return new RelayLifecycle(
        () ->
            Relay.builder(database.store(), database.leases())
                .config(config)
                .transport(KafkaTransport.open(kafka))
                .build());
  }

  @Bean(defaultCandidate = false)
  SpringOutbox reportsOutbox(
      @Qualifier("reportsDataSource") DataSource reports,
      @Qualifier("reportsDatabase") JdbcDatabase database,
      @Qualifier("reportsRelay") RelayLifecycle relay,
      MessageIntake intake) {
    return new SpringOutbox(reports, intake, database.writer(), relay);
  }
}
