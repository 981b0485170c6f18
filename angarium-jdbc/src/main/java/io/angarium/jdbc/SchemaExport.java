package io.angarium.jdbc;

import io.angarium.ConfigurationException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Gives the scripts of features as text, with the configured names in it, for scripts of a
 * migration tool. As a program it prints them. Needs no database.
 */
public final class SchemaExport {
  private static final PrintStream OUT = System.out;

  private static final String FEATURES =
      Arrays.stream(SchemaFeature.values())
          .map(SchemaFeature::title)
          .collect(Collectors.joining(", "));

  private static final String USAGE =
      """
      Usage: SchemaExport <database> <feature>... [--tables=<prefix>] [--schema=<schema>]
        <database>  postgresql, mariadb, mysql or h2
        <feature>   %s
      """
          .formatted(FEATURES);

  private SchemaExport() {}

  /**
   * Gives the scripts of features whose tables the outbox names.
   *
   * @param database e.g. {@code postgresql}, in any case
   * @param config names the schema and the tables
   * @param features any but the inbox, in the order of the text
   * @throws ConfigurationException if the database is unknown
   */
  public static String scripts(String database, JdbcConfig config, SchemaFeature... features) {
    JdbcConfig checked = config.features(features); // which refuses the inbox
    return scripts(database, new TableNames(checked), List.of(features));
  }

  /**
   * Gives the scripts of the inbox.
   *
   * @param database e.g. {@code postgresql}, in any case
   * @param config names the schema and the tables
   * @throws ConfigurationException if the database is unknown
   */
  public static String scripts(String database, InboxConfig config) {
    return scripts(database, new TableNames(config), List.of(SchemaFeature.INBOX));
  }

  private static String scripts(String database, TableNames names, List<SchemaFeature> features) {
    Dialect dialect = JdbcDatabase.dialect(database, names);
    StringBuilder all = new StringBuilder();
    for (SchemaFeature feature : features) {
      for (String script : feature.scriptsAfter(0, dialect)) {
        all.append("-- ").append(script).append("\n\n");
        SchemaScripts.text(script).lines().forEach(line -> append(all, line, names));
        all.append('\n');
      }
    }
    return all.toString();
  }

  /** Comments are prose. */
  private static void append(StringBuilder all, String line, TableNames names) {
    boolean comment = line.stripLeading().startsWith("--");
    all.append(comment ? line : names.in(line)).append('\n');
  }

  /**
   * Prints the scripts.
   *
   * @param args the database, the features, and options; none prints the usage
   */
  public static void main(String[] args) {
    print(args, OUT);
  }

  static void print(String[] args, PrintStream out) {
    JdbcConfig outbox = JdbcConfig.DEFAULTS;
    InboxConfig inbox = InboxConfig.DEFAULTS;
    List<String> words = new ArrayList<>();
    for (String argument : args) {
      String value = argument.substring(argument.indexOf('=') + 1);
      if (argument.startsWith("--tables=")) {
        outbox = outbox.tables(value);
        inbox = inbox.tables(value);
      } else if (argument.startsWith("--schema=")) {
        outbox = outbox.schema(value);
        inbox = inbox.schema(value);
      } else {
        words.add(argument);
      }
    }
    if (words.size() < 2) {
      out.print(USAGE);
      return;
    }
    for (String word : words.subList(1, words.size())) {
      SchemaFeature feature = feature(word);
      out.print(
          feature == SchemaFeature.INBOX
              ? scripts(words.get(0), inbox)
              : scripts(words.get(0), outbox, feature));
    }
  }

  private static SchemaFeature feature(String word) {
    return Arrays.stream(SchemaFeature.values())
        .filter(feature -> feature.title().equals(word.toLowerCase(Locale.ROOT)))
        .findFirst()
        .orElseThrow(
            () ->
                new ConfigurationException(
                    List.of("feature: " + word + " (expected: one of " + FEATURES + ")")));
  }
}
