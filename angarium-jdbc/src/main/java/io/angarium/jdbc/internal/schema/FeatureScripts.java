package io.angarium.jdbc.internal.schema;

import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.settings.SchemaFeature;
import java.util.List;
import java.util.Locale;

/** The scripts of each {@link SchemaFeature}, and which versions of it this code knows. */
public final class FeatureScripts {
  /** Where all scripts are. */
  static final String FOLDER = "angarium/schema/";

  /** The earliest version of each feature's tables that this code works with. */
  public static final int VERSION_MIN = 1;

  private FeatureScripts() {}

  /** In the order in which they run. */
  private static List<String> names(SchemaFeature feature) {
    return switch (feature) {
      case OUTBOX ->
          List.of(
              "V1__outbox.sql",
              "V2__feature.sql",
              "V3__source.sql",
              "V4__transports.sql",
              "V5__dead_order.sql");
      case MARKER -> List.of("V1__marker.sql");
      case HALF -> List.of("V1__half.sql");
      case CONFIRMATION -> List.of("V1__confirmation.sql");
      case RECONCILIATION -> List.of("V1__reconciliation.sql");
      case CONSOLE -> List.of("V1__console.sql", "V2__pause.sql", "V3__operation.sql");
      case ALERT -> List.of("V1__alert.sql");
      case BOARD -> List.of("V1__board.sql");
      case REPORT -> List.of("V1__report.sql");
      case INBOX -> List.of("V1__inbox.sql", "V2__feature.sql");
    };
  }

  /** The version that this code creates: the number of the last script. */
  public static int version(SchemaFeature feature) {
    return names(feature).size();
  }

  /** The earliest version of the tables that this code works with. */
  static int versionMin(SchemaFeature feature) {
    return VERSION_MIN;
  }

  /**
   * The scripts that lead from a version to the newest one, in the order in which they run.
   *
   * @param version of the tables that are there; 0 if there are none
   * @return resources on the class path
   */
  public static List<String> after(SchemaFeature feature, int version, Dialect server) {
    return names(feature).stream()
        .skip(version)
        .map(script -> folder(feature, server) + "/" + script)
        .toList();
  }

  /** The folder of the scripts on the class path. */
  public static String folder(SchemaFeature feature, Dialect server) {
    return FOLDER + server.folder() + "/" + title(feature);
  }

  /** The name as it is in folders and texts. */
  public static String title(SchemaFeature feature) {
    return feature.name().toLowerCase(Locale.ROOT);
  }
}
