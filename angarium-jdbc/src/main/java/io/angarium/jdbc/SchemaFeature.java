package io.angarium.jdbc;

import java.util.List;
import java.util.Locale;

/**
 * A part of the schema that has tables, scripts and a version of its own. The scripts of a feature
 * are in the folder {@code angarium/schema/<database>/<feature>} of this jar. Its version is the
 * number of its scripts. A feature that an application does not use needs none of its tables.
 */
public enum SchemaFeature {
  /** Messages, dead letters, history, business keys, relays; all others but the inbox need it. */
  OUTBOX(1),
  /** Markers of local transactions, which decide half messages and RocketMQ's. */
  MARKER(1),
  /** Half messages, their check-backs, and the registry of Kafka topics. */
  HALF(1),
  /** Sent messages that wait for the receipt of their consumer. */
  CONFIRMATION(1),
  /** Progress of reconciliations. */
  RECONCILIATION(1),
  /** Processed messages; needs no other feature, and {@link InboxConfig} names its tables. */
  INBOX(1);

  private final int versionMin;

  SchemaFeature(int versionMin) {
    this.versionMin = versionMin;
  }

  /** In the order in which they run. */
  private List<String> scripts() {
    return switch (this) {
      case OUTBOX ->
          List.of("V1__outbox.sql", "V2__feature.sql", "V3__source.sql", "V4__transports.sql");
      case MARKER -> List.of("V1__marker.sql");
      case HALF -> List.of("V1__half.sql");
      case CONFIRMATION -> List.of("V1__confirmation.sql");
      case RECONCILIATION -> List.of("V1__reconciliation.sql");
      case INBOX -> List.of("V1__inbox.sql", "V2__feature.sql");
    };
  }

  /** The version that this code creates: the number of the last script. */
  int version() {
    return scripts().size();
  }

  /** The earliest version of the tables that this code works with. */
  int versionMin() {
    return versionMin;
  }

  /**
   * The scripts that lead from a version to the newest one, in the order in which they run.
   *
   * @param version of the tables that are there; 0 if there are none
   * @return resources on the class path
   */
  List<String> scriptsAfter(int version, Dialect server) {
    return scripts().stream().skip(version).map(script -> folder(server) + "/" + script).toList();
  }

  /** The folder of the scripts on the class path. */
  String folder(Dialect server) {
    return SchemaScripts.FOLDER + server.folder() + "/" + title();
  }

  /** The name as it is in folders and texts. */
  String title() {
    return name().toLowerCase(Locale.ROOT);
  }
}
