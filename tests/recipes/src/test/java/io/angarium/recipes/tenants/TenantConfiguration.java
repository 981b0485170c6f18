package io.angarium.recipes.tenants;

import com.zaxxer.hikari.HikariDataSource;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;

@Configuration(proxyBeanMethods = false)
class TenantConfiguration {
  @Bean
  @ConfigurationProperties("shop.datasource")
  HikariDataSource pool() {
    return new HikariDataSource();
  }

  @Bean
  @Primary
  TenantDataSource dataSource(HikariDataSource pool) {
    return new TenantDataSource(pool);
  }
}
