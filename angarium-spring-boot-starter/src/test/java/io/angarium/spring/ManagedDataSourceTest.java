package io.angarium.spring;

import static org.assertj.core.api.Assertions.assertThat;

import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.ResourceTransactionManager;

class ManagedDataSourceTest {
  private final DataSource dataSource = OutboxBench.newDatabase();
  private final ManagedDataSource managed = new ManagedDataSource(dataSource);

  @Test
  void managersOfJdbcTellTheirDataSource() {
    DataSourceTransactionManager own =
        new DataSourceTransactionManager(new TransactionAwareDataSourceProxy(dataSource));
    DataSourceTransactionManager other =
        new DataSourceTransactionManager(OutboxBench.newDatabase());

    assertThat(managed.isOf(own)).isTrue();
    assertThat(managed.isNotOf(own)).isFalse();
    assertThat(managed.isOf(other)).isFalse();
    assertThat(managed.isNotOf(other)).isTrue();
  }

  @Test
  void ofAResourceThatIsNoDataSourceItCannotBeTold() {
    OfASession session = new OfASession();

    assertThat(managed.isOf(session)).isFalse();
    assertThat(managed.isNotOf(session)).isFalse();
  }

  /** As Hibernate's, whose factory of sessions may be one of any data source. */
  static final class OfASession extends AbstractPlatformTransactionManager
      implements ResourceTransactionManager {
    private static final long serialVersionUID = 1;

    @Override
    public Object getResourceFactory() {
      return "a factory of sessions";
    }

    @Override
    protected Object doGetTransaction() {
      return "a transaction";
    }

    @Override
    protected void doBegin(Object transaction, TransactionDefinition definition) {}

    @Override
    protected void doCommit(DefaultTransactionStatus status) {}

    @Override
    protected void doRollback(DefaultTransactionStatus status) {}
  }
}
