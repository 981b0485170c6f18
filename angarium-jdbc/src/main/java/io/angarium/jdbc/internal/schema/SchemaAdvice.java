package io.angarium.jdbc.internal.schema;

import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.sql.TableNames;
import io.angarium.jdbc.settings.SchemaFeature;
import io.angarium.jdbc.settings.SchemaMode;
import java.util.Collection;
import java.util.stream.Collectors;

/**
 * What to do about tables of a feature that are missing or too old, as the faults of a start say
 * it. Immutable.
 *
 * @param property that sets the mode
 */
public record SchemaAdvice(
    SchemaFeature feature, Dialect server, TableNames names, SchemaMode mode, String property) {
  /**
   * The fault that a feature has no table.
   *
   * @param tables what follows the prefix in their names
   * @param version the recorded one; 0 if there is none
   */
  public String missing(Collection<String> tables, int version, FoundTables found) {
    return "feature %s: none of its tables is in %s (expected: %s); %s"
        .formatted(
            FeatureScripts.title(feature),
            found.place() == null ? "the database" : found.place(),
            tables.stream().map(names::shown).collect(Collectors.joining(", ")),
            version > FeatureScripts.version(feature)
                ? "version " + version + " is recorded; create them with the newer Angarium"
                : run(0));
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
