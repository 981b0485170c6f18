package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.ConfigurationException;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
import org.h2.tools.RunScript;
import org.junit.jupiter.api.Test;

/** The scripts as text, for migration tools. */
final class SchemaExportTest {
  private static final JdbcConfig NAMED = JdbcConfig.DEFAULTS.schema("post").tables("mail");

  private static String printed(String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    SchemaExport.print(arguments, new PrintStream(out, true, StandardCharsets.UTF_8));
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void textCreatesTablesOfTheConfiguredNames() throws SQLException {
    DataSource database = EmptyDatabase.h2InMemory();
    EmptyDatabase.execute(database, "CREATE SCHEMA post");
    InboxConfig inbox = InboxConfig.DEFAULTS.schema("post").tables("seen");

    try (Connection connection = database.getConnection()) {
      RunScript.execute(
          connection,
          new StringReader(
              SchemaExport.scripts("H2", NAMED, SchemaFeature.OUTBOX, SchemaFeature.MARKER)
                  + SchemaExport.scripts("h2", inbox)));
    }

    assertThatCode(() -> JdbcDatabase.open(database, NAMED.features(SchemaFeature.MARKER)))
        .doesNotThrowAnyException();
    assertThatCode(() -> JdbcInbox.open(database, inbox)).doesNotThrowAnyException();
    assertThat(EmptyDatabase.number(database, "SELECT version FROM post.seen_feature"))
        .isEqualTo(SchemaFeature.INBOX.version());
  }

  @Test
  void programPrintsWhatIsAskedFor() {
    assertThat(printed("postgresql", "outbox", "inbox", "--tables=mail", "--schema=post"))
        .contains(
            "-- angarium/schema/postgresql/outbox/V1__outbox.sql",
            "CREATE TABLE IF NOT EXISTS post.mail_parked (",
            "-- Failed messages and the later ones of their keys.",
            "CREATE INDEX IF NOT EXISTS mail_parked_due ON post.mail_parked",
            "'OUTBOX', 2, 1",
            "CREATE TABLE IF NOT EXISTS post.mail_previous (",
            "'INBOX', 2, 1")
        .doesNotContain("mail_half");
    assertThat(printed()).startsWith("Usage: ").contains("reconciliation");
  }

  @Test
  void unknownNamesAreErrorsThatListTheKnownOnes() {
    assertThatThrownBy(() -> printed("oracle", "outbox"))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("oracle (expected: PostgreSQL");
    assertThatThrownBy(() -> printed("h2", "outbux"))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("feature: outbux (expected: one of outbox, marker, half,");
    assertThatThrownBy(() -> SchemaExport.scripts("h2", NAMED, SchemaFeature.INBOX))
        .isInstanceOf(ConfigurationException.class);
  }

  @Test
  void everyScriptIsInTheChangelogOfItsFeature() {
    for (SchemaFeature feature : SchemaFeature.values()) {
      String changelog = SchemaScripts.text("angarium/schema/" + feature.title() + ".xml");
      for (String product : List.of("PostgreSQL", "MariaDB", "MySQL", "H2")) {
        Dialect dialect = JdbcDatabase.dialect(product, new TableNames(JdbcConfig.DEFAULTS));
        assertThat(feature.scriptsAfter(0, dialect))
            .isNotEmpty()
            .allMatch(script -> changelog.contains("<sqlFile path=\"" + script + "\"/>"));
      }
    }
  }
}
