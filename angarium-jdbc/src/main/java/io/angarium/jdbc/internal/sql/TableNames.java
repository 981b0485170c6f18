package io.angarium.jdbc.internal.sql;

import io.angarium.jdbc.settings.InboxConfig;
import io.angarium.jdbc.settings.JdbcConfig;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Puts the names of the tables in the place of {@code outbox} and {@code outbox_…}, or of the names
 * of the inbox, in SQL text. This is the only place where SQL is put together from configuration.
 * Names of indexes stay without the schema, as databases want them. Thread-safe.
 */
public final class TableNames {
  /** Stands for the prefix where it must stay without the schema; in no SQL and no name. */
  private static final String UNPLACED = "\u0000";

  private final String inText;
  private final Pattern name;
  private final @Nullable String schema;
  private final String prefix;
  private final String qualified;
  private final String shown;
  private final Map<String, String> rendered = new ConcurrentHashMap<>();

  /**
   * Creates the names as configured. Without a schema, names mean tables of the connection's own
   * schema.
   */
  public TableNames(JdbcConfig config) {
    this("outbox", config.schema(), config.tables(), config.schema(), config.schema());
  }

  /** Creates the names of the inbox like {@link #TableNames(JdbcConfig)}. */
  public TableNames(InboxConfig config) {
    this("inbox", config.schema(), config.tables(), config.schema(), config.schema());
  }

  private TableNames(
      String inText,
      @Nullable String schema,
      String prefix,
      @Nullable String inSql,
      @Nullable String inProse) {
    this.inText = inText;
    this.name = Pattern.compile("(INDEX (?:IF NOT EXISTS )?)?\\b" + inText + "(?![A-Za-z0-9])");
    this.schema = schema;
    this.prefix = prefix;
    this.qualified = Matcher.quoteReplacement(inSql == null ? prefix : inSql + "." + prefix);
    this.shown = inProse == null ? prefix : inProse + "." + prefix;
  }

  /**
   * These names with the schema that was found, so that statements mean the same tables whatever
   * schema their connection has.
   *
   * @param found as the database stores it; on MySQL and MariaDB the database
   * @param quoted as it is in statements
   */
  public TableNames placed(String found, String quoted) {
    return new TableNames(inText, found, prefix, quoted, schema);
  }

  /** The text with the names as statements have them; remembered, as there are few texts. */
  public String in(String sql) {
    return rendered.computeIfAbsent(sql, this::render);
  }

  /**
   * Renders the text like {@link #in}, for texts where a colon stands before names that go without
   * the schema.
   */
  public String inRenaming(String sql) {
    return render(sql.replace(":inbox", UNPLACED))
        .replaceAll(UNPLACED + "(\\w*)", "\"" + prefix + "$1\"");
  }

  /**
   * A name for people, with the schema only if one is configured.
   *
   * @param suffix what follows the prefix, e.g. {@code _dead}; may be empty
   */
  public String shown(String suffix) {
    return shown + suffix;
  }

  /**
   * A table's name as statements have it.
   *
   * @param suffix what follows the prefix, e.g. {@code _dead}; may be empty
   */
  public String table(String suffix) {
    return in(inText + suffix);
  }

  /** The property that names the schema. */
  public String property() {
    return inText.equals("outbox") ? "jdbc.schema" : "inbox.schema";
  }

  /** What the table names begin with. */
  public String prefix() {
    return prefix;
  }

  /** The schema; null for the connection's own. */
  @Nullable
  public String schema() {
    return schema;
  }

  private String render(String sql) {
    return name.matcher(sql)
        .replaceAll(
            found ->
                found.group(1) == null
                    ? qualified
                    : Matcher.quoteReplacement(found.group(1)) + prefix);
  }
}
