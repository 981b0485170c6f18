package io.angarium.spring.autoconfigure.internal.check;

import io.angarium.StoreException;
import java.util.function.Function;
import javax.sql.DataSource;

/** A failure to open the database behind a data source, which it names. Immutable. */
public final class DataSourceFailure extends StoreException {
  private static final long serialVersionUID = 1L;

  private final String dataSource;

  private DataSourceFailure(StoreException failure, String dataSource) {
    super(
        DataSourceText.withoutSecretsIn(String.valueOf(failure.getMessage()))
            + "; data source: "
            + dataSource,
        failure);
    this.dataSource = dataSource;
  }

  /**
   * Opens what is in the database of a data source. Once the context has failed, the data source is
   * destroyed, and nobody can say any more which one it was.
   */
  public static <T> T naming(DataSource dataSource, Function<DataSource, T> opening) {
    try {
      return opening.apply(dataSource);
    } catch (StoreException e) {
      throw new DataSourceFailure(e, DataSourceText.of(dataSource));
    }
  }

  /** Its address and its user. */
  String dataSource() {
    return dataSource;
  }
}
