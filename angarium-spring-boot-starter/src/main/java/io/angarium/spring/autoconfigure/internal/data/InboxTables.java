package io.angarium.spring.autoconfigure.internal.data;

import io.angarium.ConfigurationException;
import io.angarium.jdbc.JdbcInbox;
import io.angarium.jdbc.settings.InboxConfig;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.spring.autoconfigure.internal.mapping.PropertyMapping;
import io.angarium.spring.settings.AngariumProperties;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.springframework.beans.factory.ListableBeanFactory;

/**
 * Checks the tables of the inbox along with the tables of the outbox: a start that stops lists the
 * faults of both.
 */
public final class InboxTables {
  /** The bean of the starter's inbox. */
  public static final String BEAN = "angariumJdbcInbox";

  private InboxTables() {}

  /**
   * Opens the outbox.
   *
   * @throws ConfigurationException if its tables are not as expected; also lists the faults of the
   *     inbox's tables
   */
  public static <T> T besides(
      Supplier<T> outbox,
      DataSource dataSource,
      AngariumProperties properties,
      ListableBeanFactory beans) {
    try {
      return outbox.get();
    } catch (ConfigurationException e) {
      Set<String> faults = new LinkedHashSet<>(e.faults());
      if (!beans.containsBeanDefinition(BEAN) || !faults.addAll(faults(dataSource, properties))) {
        throw e;
      }
      ConfigurationException all = new ConfigurationException(List.copyOf(faults));
      all.addSuppressed(e);
      throw all;
    }
  }

  private static List<String> faults(DataSource dataSource, AngariumProperties properties) {
    try {
      InboxConfig config = PropertyMapping.inbox(properties);
      if (config.schemaMode() == SchemaMode.CREATE) {
        return List.of(); // a start that stops creates nothing
      }
      JdbcInbox.open(dataSource, config);
      return List.of();
    } catch (ConfigurationException e) {
      return e.faults();
    } catch (RuntimeException e) {
      return List.of(); // what stops the start already is told
    }
  }
}
