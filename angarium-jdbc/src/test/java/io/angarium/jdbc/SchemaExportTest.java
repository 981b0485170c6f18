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
    assertThat(
            printed(
                "postgresql",
                "outbox",
                "inbox",
                "--tables=mail",
                "--inbox-tables=seen",
                "--schema=post"))
        .contains(
            "-- angarium/schema/postgresql/outbox/V1__outbox.sql",
            "CREATE TABLE IF NOT EXISTS post.mail_parked (",
            "-- Failed messages and the later ones of their keys.",
            "CREATE INDEX IF NOT EXISTS mail_parked_due ON post.mail_parked",
            "'OUTBOX', 2, 1",
            "CREATE TABLE IF NOT EXISTS post.seen_previous (",
            "'INBOX', 2, 1")
        .doesNotContain("mail_half");
    assertThat(printed()).startsWith("Usage: ").contains("reconciliation");
  }

  @Test
  void printedTextRunsForOutboxAndInboxTogether() throws SQLException {
    DataSource database = EmptyDatabase.h2InMemory();
    try (Connection connection = database.getConnection()) {
      String text = printed("h2", "outbox", "inbox", "half", "--tables=mail");
      RunScript.execute(connection, new StringReader(text));
    }

    JdbcConfig mail = JdbcConfig.DEFAULTS.tables("mail");
    assertThatCode(() -> JdbcDatabase.open(database, mail.features(SchemaFeature.HALF)))
        .doesNotThrowAnyException();
    assertThatCode(() -> JdbcInbox.open(database, InboxConfig.DEFAULTS)).doesNotThrowAnyException();
  }

  @Test
  void laterScriptsComeAlone() {
    assertThat(printed("h2", "outbox", "--after=1", "--tables=mail"))
        .startsWith("-- angarium/schema/h2/outbox/V2__feature.sql")
        .contains("CREATE TABLE IF NOT EXISTS mail_feature (")
        .doesNotContain("V1__");
    assertThat(SchemaExport.scripts("h2", NAMED, SchemaFeature.OUTBOX, 1))
        .contains("post.mail_feature")
        .doesNotContain("V1__");
    assertThat(SchemaExport.scripts("h2", InboxConfig.DEFAULTS, 1))
        .isEqualTo(printed("h2", "inbox", "--after=1"))
        .contains("inbox_feature")
        .doesNotContain("V1__");
  }

  @Test
  void optionsThatDoNotFitAreErrors() {
    assertThatThrownBy(() -> printed("h2", "inbox", "--tables=mail", "--after=x"))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("--tables: mail (expected: a feature besides inbox")
        .hasMessageContaining("--after: x (expected: a number, and one feature)");
    assertThatThrownBy(() -> printed("h2", "outbox", "half", "--inbox-tables=seen", "--after=1"))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("--inbox-tables: seen (expected: the feature inbox)")
        .hasMessageContaining("--after: 1 (expected: a number, and one feature)");
    assertThatThrownBy(() -> printed("h2", "outbox", "inbox", "--tables=a", "--inbox-tables=a"))
        .hasMessageContaining("--inbox-tables: a (expected: another prefix than --tables)");
    assertThatThrownBy(() -> printed("h2", "outbox", "--after=2"))
        .hasMessageContaining("after: 2 (expected: 0 to 1, as the last script of feature outbox");
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
