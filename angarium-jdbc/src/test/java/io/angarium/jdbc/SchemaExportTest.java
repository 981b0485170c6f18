package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.ConfigurationException;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.schema.FeatureScripts;
import io.angarium.jdbc.internal.schema.SchemaScripts;
import io.angarium.jdbc.internal.session.Dialects;
import io.angarium.jdbc.internal.sql.TableNames;
import io.angarium.jdbc.settings.InboxConfig;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaFeature;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
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
        .isEqualTo(FeatureScripts.version(SchemaFeature.INBOX));
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
  }

  @Test
  void commentsAreTrueForOtherNames() {
    for (String database : List.of("postgresql", "mariadb", "mysql", "h2")) {
      String mail = SchemaExport.scripts(database, NAMED, ofTheOutbox());

      assertThat(mail)
          .contains("Names start with mail.", "Newer code reads the versions in post.mail_feature.")
          .doesNotContain("docs/schema.md", "outbox_", "take others");
      assertThat(SchemaExport.scripts(database, InboxConfig.DEFAULTS.tables("seen")))
          .contains("Names start with seen.")
          .doesNotContain("docs/schema.md", "inbox_", "take others");
    }
  }

  @Test
  void withoutADatabaseOrAFeatureTheProgramPrintsItsUsageAndFails() throws Exception {
    for (List<String> arguments : List.of(List.<String>of(), List.of("postgresql"))) {
      Process program = program(arguments);
      String output = new String(program.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      String errors = new String(program.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);

      assertThat(program.waitFor()).isEqualTo(1);
      assertThat(output).isEmpty();
      assertThat(errors).startsWith("Usage: ").contains("reconciliation");
    }
  }

  private static SchemaFeature[] ofTheOutbox() {
    return Arrays.stream(SchemaFeature.values())
        .filter(feature -> feature != SchemaFeature.INBOX)
        .toArray(SchemaFeature[]::new);
  }

  private static Process program(List<String> arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(SchemaExport.class.getName());
    command.addAll(arguments);
    return new ProcessBuilder(command).start();
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
    assertThatThrownBy(() -> printed("h2", "outbox", "--after=5"))
        .hasMessageContaining("after: 5 (expected: 0 to 4, as the last script of feature outbox");
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
  void everyStatementOfMariaDbAndMySqlCanRunTwice() {
    for (String product : List.of("mariadb", "mysql")) {
      Dialect dialect = Dialects.of(product, new TableNames(JdbcConfig.DEFAULTS));
      for (SchemaFeature feature : SchemaFeature.values()) {
        assertThat(FeatureScripts.after(feature, 0, dialect))
            .flatMap(SchemaScripts::statements)
            .allMatch(SchemaExportTest::canRunTwice);
      }
    }
  }

  private static boolean canRunTwice(String sql) {
    return sql.matches("(?s)(CREATE TABLE IF NOT EXISTS|INSERT IGNORE INTO) .*")
        || sql.matches(
            "(?s)ALTER TABLE \\w+ ADD (COLUMN|KEY) .*") // fails the second time, as is known
        || sql.matches("(?s)UPDATE .* WHERE (\\w+ IS NULL( LIMIT 1)?|.* version < \\d+)");
  }

  @Test
  void everyScriptIsInTheChangelogOfItsFeature() {
    for (SchemaFeature feature : SchemaFeature.values()) {
      String changelog =
          SchemaScripts.text("angarium/schema/" + FeatureScripts.title(feature) + ".xml");
      for (String product : List.of("PostgreSQL", "MariaDB", "MySQL", "H2")) {
        Dialect dialect = Dialects.of(product, new TableNames(JdbcConfig.DEFAULTS));
        assertThat(FeatureScripts.after(feature, 0, dialect))
            .isNotEmpty()
            .allMatch(script -> changelog.contains("<sqlFile path=\"" + script + "\"/>"));
      }
    }
  }
}
