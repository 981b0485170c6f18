package io.angarium.jdbc;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;

/** Notes which schemas are asked for when the catalogue of a database is read. */
final class CatalogueReads {
  static final String EVERYWHERE = "everywhere";

  private static final Set<String> LISTS =
      Set.of("getTables", "getColumns", "getIndexInfo", "getPrimaryKeys", "getTablePrivileges");

  private final DataSource source;
  private final List<String> places = new ArrayList<>();

  CatalogueReads(DataSource source) {
    this.source = source;
  }

  DataSource source() {
    return around(DataSource.class, source);
  }

  /** The schema of each read, or the database where the driver has no schemas. */
  List<String> places() {
    return List.copyOf(places);
  }

  private <T> T around(Class<T> type, T real) {
    return Counted.proxy(
        type,
        (proxy, method, arguments) -> {
          if (real instanceof DatabaseMetaData catalogue && LISTS.contains(method.getName())) {
            note(catalogue, (String) arguments[0], (String) arguments[1]);
          }
          Object result = Counted.invoke(method, real, arguments);
          if (result instanceof DatabaseMetaData catalogue) {
            return around(DatabaseMetaData.class, catalogue);
          }
          return result instanceof Connection connection
              ? around(Connection.class, connection)
              : result;
        });
  }

  private void note(DatabaseMetaData catalogue, String catalog, String schema) throws SQLException {
    String place = catalogue.supportsSchemasInTableDefinitions() ? schema : catalog;
    places.add(place == null || place.contains("%") ? EVERYWHERE : place);
  }
}
