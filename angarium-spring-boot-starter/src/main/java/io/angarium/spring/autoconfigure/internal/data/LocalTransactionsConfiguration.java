package io.angarium.spring.autoconfigure.internal.data;

import io.angarium.half.local.LocalTransactions;
import io.angarium.jdbc.JdbcDatabase;
import io.angarium.spring.OutboxDataSource;
import io.angarium.spring.SpringLocalTransactions;
import javax.sql.DataSource;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

/** Transactions with a marker, for whatever decides messages by them. */
@Configuration(proxyBeanMethods = false)
public class LocalTransactionsConfiguration {
  @Bean
  @Lazy
  @ConditionalOnMissingBean(LocalTransactions.class)
  SpringLocalTransactions angariumLocalTransactions(
      @OutboxDataSource ObjectProvider<DataSource> marked,
      ObjectProvider<DataSource> all,
      ListableBeanFactory beans,
      JdbcDatabase database) {
    DataSource dataSource = OutboxDataSources.choose(marked, all);
    return new SpringLocalTransactions(
        dataSource, TransactionManagers.ofHalfMessages(dataSource, beans), database.markers());
  }
}
