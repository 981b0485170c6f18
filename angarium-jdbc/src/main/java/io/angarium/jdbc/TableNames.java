package io.angarium.jdbc;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Puts the configured names in the place of {@code outbox} and {@code outbox_…} in SQL text; the
 * only place where SQL is put together from configuration. Names of indexes stay without the
 * schema, as databases want them. Thread-safe.
 */
final class TableNames {
  private static final Pattern NAME =
      Pattern.compile("(INDEX (?:IF NOT EXISTS )?)?\\boutbox(?![A-Za-z0-9])");

  private final @Nullable String schema;
  private final String prefix;
  private final String qualified;
  private final Map<String, String> rendered = new ConcurrentHashMap<>();

  TableNames(JdbcConfig config) {
    this.schema = config.schema();
    this.prefix = config.tables();
    this.qualified = config.schema() == null ? prefix : config.schema() + "." + prefix;
  }

  /** The text with the configured names; remembered, as the number of texts is small. */
  String in(String sql) {
    return rendered.computeIfAbsent(sql, this::render);
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
    Matcher names = NAME.matcher(sql);
    return names.replaceAll(
        name ->
            name.group(1) == null ? qualified : Matcher.quoteReplacement(name.group(1)) + prefix);
  }
}
