package io.angarium.tests.spring.flyway;

import io.angarium.jdbc.JdbcDatabase;
import io.angarium.jdbc.JdbcInbox;
import io.angarium.jdbc.settings.InboxConfig;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaMode;
import javax.sql.DataSource;
import org.flywaydb.core.api.callback.BaseCallback;
import org.flywaydb.core.api.callback.Callback;
import org.flywaydb.core.api.callback.Context;
import org.flywaydb.core.api.callback.Event;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class AngariumMigration {
  @Bean
  Callback createAngariumTables() {
    return new BaseCallback() {
      @Override
      public boolean supports(Event event, Context context) {
        return event == Event.AFTER_MIGRATE;
      }

      @Override
      public void handle(Event event, Context context) {
        DataSource owner = context.getConfiguration().getDataSource();
        JdbcDatabase.open(owner, JdbcConfig.DEFAULTS.schemaMode(SchemaMode.CREATE));
        JdbcInbox.open(owner, InboxConfig.DEFAULTS.schemaMode(SchemaMode.CREATE)); // if you have one
      }
    };
  }
}
