package io.angarium.jdbc.reconciliation;

import io.angarium.jdbc.internal.reconciliation.KeyQuery;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.reconciliation.ReconciledSide;
import io.angarium.reconciliation.Window;
import java.sql.Timestamp;
import java.util.function.Consumer;
import javax.sql.DataSource;

/**
 * The keys that a query of the application gives, e.g. of orders or of stock movements.
 * Thread-safe.
 */
public final class QueriedKeys implements ReconciledSide {
  private final String name;
  private final DataSource dataSource;
  private final String sql;

  /**
   * Creates a side; opens nothing.
   *
   * @param sql a query with two parameters, begin and exclusive end of a window, and the key as
   *     text in its first column, e.g. {@code SELECT order_id FROM movement WHERE paid_at >= ? AND
   *     paid_at < ?}. Trusted: never put input of users into it
   */
  public QueriedKeys(String name, DataSource dataSource, String sql) {
    this.name = name;
    this.dataSource = dataSource;
    this.sql = sql;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void keys(Window window, Consumer<String> each) {
    Sql query = Sql.of(sql, Timestamp.from(window.from()), Timestamp.from(window.to()));
    KeyQuery.read(dataSource, name, query, row -> String.valueOf(row.getString(1)), each);
  }
}
