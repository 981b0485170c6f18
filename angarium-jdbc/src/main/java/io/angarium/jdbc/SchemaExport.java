package io.angarium.jdbc;

import io.angarium.ConfigurationException;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.schema.FeatureScripts;
import io.angarium.jdbc.internal.schema.SchemaScripts;
import io.angarium.jdbc.internal.session.Dialects;
import io.angarium.jdbc.internal.sql.TableNames;
import io.angarium.jdbc.settings.InboxConfig;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaFeature;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Gives the scripts of features as text, with the configured names in it, for scripts of a
 * migration tool. As a program it prints them. Needs no database.
 */
public final class SchemaExport {
  private static final PrintStream OUT = System.out;
  private static final PrintStream ERR = System.err;

  /** In the scripts' first comments, where a line may end at any space. */
  private static final Pattern DEFAULT_NAMES =
      Pattern.compile(
          "Names start with (?:outbox|inbox); docs/schema\\.md says how to take others\\."
              .replace(" ", "\\s+(?:--\\s+)?"));

  private static final Pattern TABLE_IN_PROSE = Pattern.compile("\\b(?:outbox|inbox)_\\w+");

  private static final String FEATURES =
      Arrays.stream(SchemaFeature.values())
          .map(FeatureScripts::title)
          .collect(Collectors.joining(", "));

  private static final String USAGE =
      """
      Usage: SchemaExport <database> <feature>... [option]...
        <database>               postgresql, mariadb, mysql or h2
        <feature>                %s
        --schema=<schema>        of all tables; create it before, the scripts do not
        --tables=<prefix>        of the tables of the outbox and its features
        --inbox-tables=<prefix>  of the tables of the inbox
        --after=<version>        leaves out the scripts up to this one; for one feature
      """
          .formatted(FEATURES);

  private static final Pattern OPTION =
      Pattern.compile("--(schema|tables|inbox-tables|after)=(.*)");

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
    return scripts(database, new TableNames(checked), List.of(features), 0);
  }

  /**
   * Gives those scripts of a feature that come after a version.
   *
   * @param database e.g. {@code postgresql}, in any case
   * @param config names the schema and the tables
   * @param feature any but the inbox
   * @param after the number of the last script that has run; 0 for none
   * @throws ConfigurationException if the database is unknown, or no script comes after
   */
  public static String scripts(
      String database, JdbcConfig config, SchemaFeature feature, int after) {
    JdbcConfig checked = config.features(feature); // which refuses the inbox
    return scripts(database, new TableNames(checked), List.of(feature), after);
  }

  /**
   * Gives the scripts of the inbox.
   *
   * @param database e.g. {@code postgresql}, in any case
   * @param config names the schema and the tables
   * @throws ConfigurationException if the database is unknown
   */
  public static String scripts(String database, InboxConfig config) {
    return scripts(database, config, 0);
  }

  /**
   * Gives those scripts of the inbox that come after a version.
   *
   * @param database e.g. {@code postgresql}, in any case
   * @param config names the schema and the tables
   * @param after the number of the last script that has run; 0 for none
   * @throws ConfigurationException if the database is unknown, or no script comes after
   */
  public static String scripts(String database, InboxConfig config, int after) {
    return scripts(database, new TableNames(config), List.of(SchemaFeature.INBOX), after);
  }

  private static String scripts(
      String database, TableNames names, List<SchemaFeature> features, int after) {
    Dialect dialect = Dialects.of(database, names);
    StringBuilder all = new StringBuilder();
    for (SchemaFeature feature : features) {
      if (after < 0 || after >= FeatureScripts.version(feature)) {
        throw new ConfigurationException(
            List.of(
                "after: %d (expected: 0 to %d, as the last script of feature %s is V%d)"
                    .formatted(
                        after,
                        FeatureScripts.version(feature) - 1,
                        FeatureScripts.title(feature),
                        FeatureScripts.version(feature))));
      }
      for (String script : FeatureScripts.after(feature, after, dialect)) {
        all.append("-- ").append(script).append("\n\n");
        String text =
            DEFAULT_NAMES
                .matcher(SchemaScripts.text(script))
                .replaceAll("Names start with " + names.prefix() + ".");
        text.lines().forEach(line -> append(all, line, names));
        all.append('\n');
      }
    }
    return all.toString();
  }

  /** Comments are prose, in which only whole names of tables are replaced. */
  private static void append(StringBuilder all, String line, TableNames names) {
    boolean comment = line.stripLeading().startsWith("--");
    String named =
        comment
            ? TABLE_IN_PROSE.matcher(line).replaceAll(found -> names.in(found.group()))
            : names.in(line);
    all.append(named).append('\n');
  }

  /**
   * Prints the scripts. Ends the JVM with exit code 1, after printing the usage to the error
   * stream, if the database or the features are missing.
   *
   * @param args the database, the features, and options
   */
  public static void main(String[] args) {
    if (!print(args, OUT)) {
      ERR.print(USAGE);
      System.exit(1);
    }
  }

  /** Returns false, without printing, if the database or the features are missing. */
  static boolean print(String[] args, PrintStream out) {
    Map<String, String> options = new HashMap<>();
    List<String> words = new ArrayList<>();
    for (String argument : args) {
      Matcher option = OPTION.matcher(argument);
      if (option.matches()) {
        options.put(option.group(1), option.group(2));
      } else {
        words.add(argument);
      }
    }
    if (words.size() < 2) {
      return false;
    }
    List<SchemaFeature> features =
        words.subList(1, words.size()).stream().map(SchemaExport::feature).toList();
    List<String> faults = faults(options, features);
    if (!faults.isEmpty()) {
      throw new ConfigurationException(faults);
    }
    for (SchemaFeature feature : features) {
      out.print(scripts(words.get(0), options, feature));
    }
    return true;
  }

  private static String scripts(
      String database, Map<String, String> options, SchemaFeature feature) {
    int after = Integer.parseInt(options.getOrDefault("after", "0"));
    String schema = options.get("schema");
    if (feature == SchemaFeature.INBOX) {
      InboxConfig inbox = InboxConfig.DEFAULTS;
      inbox = inbox.tables(options.getOrDefault("inbox-tables", inbox.tables()));
      return scripts(database, schema == null ? inbox : inbox.schema(schema), after);
    }
    JdbcConfig outbox = JdbcConfig.DEFAULTS;
    outbox = outbox.tables(options.getOrDefault("tables", outbox.tables()));
    return scripts(database, schema == null ? outbox : outbox.schema(schema), feature, after);
  }

  private static List<String> faults(Map<String, String> options, List<SchemaFeature> features) {
    List<String> faults = new ArrayList<>();
    String tables = options.get("tables");
    String inboxTables = options.get("inbox-tables");
    String after = options.get("after");
    boolean inbox = features.contains(SchemaFeature.INBOX);
    boolean inboxAlone = features.stream().allMatch(SchemaFeature.INBOX::equals);
    if (tables != null && inboxAlone) {
      faults.add(
          "--tables: "
              + tables
              + " (expected: a feature besides inbox, which has others);"
              + " use --inbox-tables");
    }
    if (inboxTables != null && !inbox) {
      faults.add("--inbox-tables: " + inboxTables + " (expected: the feature inbox); use --tables");
    }
    if (inbox && !inboxAlone && tables != null && tables.equals(inboxTables)) {
      faults.add("--inbox-tables: " + inboxTables + " (expected: another prefix than --tables)");
    }
    if (after != null && !(after.matches("\\d{1,4}") && features.size() == 1)) {
      faults.add("--after: " + after + " (expected: a number, and one feature)");
    }
    return faults;
  }

  private static SchemaFeature feature(String word) {
    return Arrays.stream(SchemaFeature.values())
        .filter(feature -> FeatureScripts.title(feature).equals(word.toLowerCase(Locale.ROOT)))
        .findFirst()
        .orElseThrow(
            () ->
                new ConfigurationException(
                    List.of("feature: " + word + " (expected: one of " + FEATURES + ")")));
  }
}
