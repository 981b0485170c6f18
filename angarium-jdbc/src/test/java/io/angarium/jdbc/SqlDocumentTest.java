package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.session.Dialects;
import io.angarium.jdbc.internal.sql.TableNames;
import io.angarium.jdbc.settings.JdbcConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keeps docs/sql true. */
final class SqlDocumentTest {
  private static final Path FOLDER = Path.of("..", "docs", "sql");

  @ParameterizedTest
  @ValueSource(strings = {"PostgreSQL", "MySQL", "MariaDB", "H2"})
  void pageShowsTheStatementsOfTheCode(String product) throws IOException {
    Dialect dialect = Dialects.of(product, new TableNames(JdbcConfig.DEFAULTS));
    Path page = FOLDER.resolve(dialect.folder() + ".md");
    String rendered = SqlDocument.of(dialect);

    if (Boolean.getBoolean("angarium.docs.write")) {
      Files.createDirectories(FOLDER);
      Files.writeString(page, rendered);
    }

    assertThat(page)
        .as("run this test with -Dangarium.docs.write=true to write the page anew")
        .exists()
        .hasContent(rendered);
  }
}
