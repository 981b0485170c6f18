package io.angarium.recipes.datasources;

import com.zaxxer.hikari.HikariDataSource;
import io.angarium.spring.OutboxDataSource;
import javax.sql.DataSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.support.JdbcTransactionManager;

@Configuration(proxyBeanMethods = false)
class DataSources {
  @Bean
  @Primary
  @ConfigurationProperties("reports.datasource")
  HikariDataSource reportsDataSource() {
    return new HikariDataSource();
  }

  @Bean
  @OutboxDataSource
  @ConfigurationProperties("sales.datasource")
  HikariDataSource salesDataSource() {
    return new HikariDataSource();
  }

  @Bean
  @Primary
  JdbcTransactionManager reportsTransactions(
      @Qualifier("reportsDataSource") DataSource dataSource) {
    return new JdbcTransactionManager(dataSource);
  }

  @Bean
  JdbcTransactionManager salesTransactions(@OutboxDataSource DataSource dataSource) {
    return new JdbcTransactionManager(dataSource);
  }
}
