package io.angarium.spring.autoconfigure.internal.data;

import io.angarium.ConfigurationException;
import io.angarium.jdbc.JdbcDatabase;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;

/** Chooses the data source of the outbox. */
public final class OutboxDataSources {
  /** The name of the starter's outbox; only a bean of this name takes its place. */
  public static final String OUTBOX = "angariumOutbox";

  private OutboxDataSources() {}

  /**
   * Chooses it.
   *
   * @param marked those with {@link io.angarium.spring.OutboxDataSource}
   * @throws ConfigurationException if several could be meant
   */
  public static DataSource choose(
      ObjectProvider<DataSource> marked, ObjectProvider<DataSource> all) {
    DataSource chosen = marked.getIfUnique();
    if (chosen == null) {
      chosen = all.getIfUnique();
    }
    if (chosen == null) {
      throw new ConfigurationException(
          List.of(
              "data sources: "
                  + all.stream().count()
                  + " beans, "
                  + marked.stream().count()
                  + " of them marked with @OutboxDataSource (expected: one bean; of several, mark"
                  + " the one that holds the outbox with @OutboxDataSource or @Primary)"));
    }
    return chosen;
  }

  /**
   * Gives the relay a data source of its own.
   *
   * @param name of its bean; null for none
   * @throws ConfigurationException if there is no such bean
   */
  public static JdbcDatabase relaying(
      JdbcDatabase database, @Nullable String name, ListableBeanFactory beans) {
    if (name == null) {
      return database;
    }
    if (!beans.containsBean(name) || !beans.isTypeMatch(name, DataSource.class)) {
      throw new ConfigurationException(
          List.of(
              "angarium.jdbc.relay-data-source: "
                  + name
                  + " (expected: the name of a DataSource bean, of which there are "
                  + List.of(beans.getBeanNamesForType(DataSource.class, true, false))
                  + ")"));
    }
    return database.relayingFrom(beans.getBean(name, DataSource.class));
  }
}
