package io.angarium.jdbc;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Puts the configured names in the place of {@code outbox} and {@code outbox_…}, or those of the
 * inbox, in SQL text; the only place where SQL is put together from configuration. Names of indexes
 * stay without the schema, as databases want them. Thread-safe.
 */
final class TableNames {
  private final Pattern name;
  private final @Nullable String schema;
  private final String prefix;
  private final String qualified;
  private final Map<String, String> rendered = new ConcurrentHashMap<>();

  TableNames(JdbcConfig config) {
    this("outbox", config.schema(), config.tables());
  }

  TableNames(InboxConfig config) {
    this("inbox", config.schema(), config.tables());
  }

  private TableNames(String inText, @Nullable String schema, String prefix) {
    this.name = Pattern.compile("(INDEX (?:IF NOT EXISTS )?)?\\b" + inText + "(?![A-Za-z0-9])");
    this.schema = schema;
    this.prefix = prefix;
    this.qualified = schema == null ? prefix : schema + "." + prefix;
  }

  /** The text with the configured names; remembered, as the number of texts is small. */
  String in(String sql) {
    return rendered.computeIfAbsent(sql, this::render);
  }

  /** As {@link #in}, for texts where a colon stands before names that go without the schema. */
  String inRenaming(String sql) {
    return render(sql.replace(":inbox", ":")).replace(":", prefix);
  }

  /** What the table names begin with. */
  String prefix() {
    return prefix;
  }

  /** The configured schema; null for the connection's own. */
  @Nullable String schema() {
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
