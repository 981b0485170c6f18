package io.angarium.spring.autoconfigure;

import io.angarium.ConfigurationException;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;

/** Chooses the data source of the outbox. */
final class OutboxDataSources {
  private OutboxDataSources() {}

  /**
   * @param marked those with {@link io.angarium.spring.OutboxDataSource}
   * @throws ConfigurationException if several could be meant
   */
  static DataSource choose(ObjectProvider<DataSource> marked, ObjectProvider<DataSource> all) {
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
}
