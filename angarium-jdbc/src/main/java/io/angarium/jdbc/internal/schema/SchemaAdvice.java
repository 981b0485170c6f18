package io.angarium.jdbc.internal.schema;

import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.dialect.mysql.MySqlFamily;
import io.angarium.jdbc.internal.sql.TableNames;
import io.angarium.jdbc.settings.SchemaFeature;
import io.angarium.jdbc.settings.SchemaMode;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What to do about tables of a feature that are missing or too old, as the faults of a start say
 * it. Immutable.
 *
 * @param property that sets the mode
 */
public record SchemaAdvice(
    SchemaFeature feature, Dialect server, TableNames names, SchemaMode mode, String property) {
  /** MySQL and MariaDB hide tables from accounts without any right on them. */
  private static final String HIDDEN = ", with a right on each";

  /**
   * The fault that tables of a feature are missing, one for all of them; none if all are there.
   *
   * @param tables what follows the prefix in the names of all tables of the feature
   * @param version the recorded one; 0 if there is none
   */
  public List<String> missing(Collection<String> tables, int version, FoundTables found) {
    List<String> missing = tables.stream().filter(table -> !found.has(table)).toList();
    if (missing.isEmpty()) {
      return List.of();
    }
    String place = found.place() == null ? "the database" : found.place();
    String fault =
        missing.size() == tables.size()
            ? "feature %s: none of its tables is in %s (expected: %s)"
                .formatted(FeatureScripts.title(feature), place, shown(tables))
            : "%s %s: missing in %s (expected: all tables of feature %s%s)"
                .formatted(
                    missing.size() == 1 ? "table" : "tables",
                    shown(missing),
                    place,
                    FeatureScripts.title(feature),
                    server instanceof MySqlFamily ? HIDDEN : "");
    return List.of(
        fault
            + (version > FeatureScripts.version(feature)
                ? "; version " + version + " is recorded; create them with the newer Angarium"
                : "; " + run(0)));
  }

  private String shown(Collection<String> tables) {
    return tables.stream().map(names::shown).collect(Collectors.joining(", "));
  }

  /** The fault that the first script did not come to its end. */
  public String unfinished() {
    return "table %s: no row (expected: one, which the last statement of the first script adds); %s"
        .formatted(names.shown("_schema"), run(0));
  }

  /** Names the scripts after a version, and what runs them. */
  public String run(int version) {
    String scripts =
        "run " + String.join(", then ", FeatureScripts.after(feature, version, server));
    return mode == SchemaMode.CREATE
        ? scripts
        : scripts
            + ", or set "
            + property
            + "=create (in Java: SchemaMode.CREATE),"
            + " or see docs/schema.md for Flyway and Liquibase";
  }
}
