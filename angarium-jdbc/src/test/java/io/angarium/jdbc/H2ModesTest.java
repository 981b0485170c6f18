package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.ConfigurationException;
import io.angarium.testservers.OnOneJdk;
import java.sql.DriverManager;
import javax.sql.DataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Modes in which H2 resembles other databases. */
@OnOneJdk
class H2ModesTest {
  private static DataSource h2(String mode) {
    String url = "jdbc:h2:mem:mode" + mode.hashCode() + ";DB_CLOSE_DELAY=-1;MODE=" + mode;
    return new ConnectionSource(() -> DriverManager.getConnection(url));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "PostgreSQL",
        "PostgreSQL;DATABASE_TO_LOWER=TRUE;DEFAULT_NULL_ORDERING=HIGH",
        "MySQL;DATABASE_TO_LOWER=TRUE;CASE_INSENSITIVE_IDENTIFIERS=TRUE",
        "MariaDB",
        "DB2",
        "HSQLDB",
        "LEGACY"
      })
  void everythingWorks(String mode) throws Exception {
    new Borrowers(h2(mode)).useAll();
  }

  @ParameterizedTest
  @ValueSource(strings = {"Oracle", "MSSQLServer", "Derby", "STRICT"})
  void modeThatLacksStatementsIsRefusedByName(String mode) {
    assertThatThrownBy(() -> JdbcDatabase.open(h2(mode), EmptyDatabase.WITH_ALL_TABLES))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("MODE: " + mode + " (expected: ");
  }
}
