package io.angarium.jdbc.internal.catalogue;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/**
 * What a database's catalogue says about the tables: attributes on which it rests that nothing is
 * lost and that keys keep their order, and rights of the account. Thread-safe.
 */
public interface TableDialect {
  /** Tables that the relay uses whatever is configured, and what it does with them. */
  List<Need> OF_RELAY =
      List.of(
          new Need("", "id", Right.values()),
          new Need("_delayed", "id", Right.SELECT, Right.DELETE),
          new Need("_parked", "id", Right.values()),
          new Need("_dead", "id", Right.SELECT, Right.INSERT),
          new Need("_node", "node", Right.values()),
          new Need("_lease", "node", Right.SELECT, Right.INSERT, Right.UPDATE),
          new Need("_schema", "version", Right.SELECT, Right.UPDATE));

  /** Added if sent messages are kept. */
  Need OF_HISTORY = new Need("_sent", "id", Right.INSERT);

  /** Added if messages are to be confirmed. */
  Need OF_CONFIRMATION = new Need("_unconfirmed", "message_id", Right.SELECT, Right.INSERT);

  /** What half messages use, and what becomes of those that are committed. */
  List<Need> OF_HALF =
      List.of(
          new Need("_half", "id", Right.SELECT, Right.INSERT, Right.UPDATE),
          new Need("_half_check", "id", Right.SELECT, Right.DELETE),
          new Need("", "id", Right.INSERT),
          new Need("_delayed", "id", Right.INSERT));

  /** What their check-back uses. */
  List<Need> OF_CHECKS =
      List.of(
          new Need("_half", "id", Right.SELECT, Right.UPDATE),
          new Need("_half_check", "id", Right.values()),
          new Need("_half_alert", "id", Right.values()));

  /** What receipts and overdue confirmations use. */
  List<Need> OF_RECEIPTS =
      List.of(
          new Need("_unconfirmed", "message_id", Right.SELECT, Right.UPDATE, Right.DELETE),
          new Need("_receipt", "message_id", Right.SELECT, Right.INSERT, Right.DELETE),
          new Need("", "id", Right.INSERT),
          new Need("_dead", "id", Right.INSERT));

  /** What the progress of reconciliations uses. */
  List<Need> OF_RECONCILIATION =
      List.of(new Need("_task", "task", Right.SELECT, Right.INSERT, Right.UPDATE));

  /** What persons read and do who look after messages. */
  List<Need> OF_CONSOLE =
      List.of(
          new Need("", "id", Right.SELECT, Right.INSERT),
          new Need("_delayed", "id", Right.values()),
          new Need("_parked", "id", Right.SELECT, Right.INSERT, Right.UPDATE),
          new Need("_dead", "id", Right.values()),
          new Need("_lease", "node", Right.SELECT, Right.UPDATE),
          new Need("_discarded", "id", Right.values()),
          new Need("_control", "one", Right.SELECT, Right.INSERT, Right.UPDATE),
          new Need("_pause", "id", Right.SELECT, Right.INSERT, Right.DELETE),
          new Need("_pause_applied", "node", Right.SELECT),
          new Need("_operation", "node", Right.values()),
          new Need("_operation_refusal", "nr", Right.SELECT, Right.INSERT, Right.DELETE),
          new Need("_audit", "id", Right.SELECT, Right.INSERT));

  /** What relays ask for pauses with. */
  List<Need> OF_PAUSES =
      List.of(
          new Need("_control", "one", Right.SELECT),
          new Need("_pause", "id", Right.SELECT),
          new Need("_pause_applied", "node", Right.values()));

  /** What a node uses that looks for alerts, and persons who look after them. */
  List<Need> OF_ALERTS =
      List.of(
          new Need("_alert", "rule", Right.values()),
          new Need("_alert_notice", "rule", Right.values()),
          new Need("_silence", "id", Right.values()),
          new Need("_alert_turn", "node", Right.SELECT, Right.INSERT, Right.UPDATE));

  /** What a node uses that tells of itself, and persons who read it. */
  List<Need> OF_BOARD =
      List.of(
          new Need("_status", "node", Right.values()),
          new Need("_minute", "destination", Right.values()));

  /** What a task uses that keeps its reports, and persons who look after them. */
  List<Need> OF_REPORTS = List.of(new Need("_report", "id", Right.values()));

  /** What a message that is processed uses of the inbox. */
  List<Need> OF_INBOX =
      List.of(
          new Need("", "message_id", Right.SELECT, Right.INSERT),
          new Need("_schema", "version", Right.SELECT));

  /** The tables that are checked. */
  enum Tables {
    /** Tables of an outbox and its features. */
    OUTBOX,
    /** Tables of an inbox. */
    INBOX
  }

  /** What may be done with a table. */
  enum Right {
    /** Read. */
    SELECT,
    /** Add rows. */
    INSERT,
    /** Change and, on PostgreSQL, lock rows. */
    UPDATE,
    /** Delete rows. */
    DELETE
  }

  /**
   * What an account does with a table.
   *
   * @param suffix what follows the prefix in the table's name
   * @param column one of its columns
   */
  record Need(String suffix, String column, Set<Right> rights) {
    Need(String suffix, String column, Right... rights) {
      this(suffix, column, Set.of(rights));
    }
  }

  /**
   * Attributes of tables that are not as in the scripts. Needs no right but to look.
   *
   * @param tables whose tables they are
   * @param suffixes what follows the prefix in the names of tables that are there
   * @param acceptedTriggers names of triggers that are none of the faults
   */
  List<String> faults(
      Connection connection,
      Tables tables,
      Collection<String> suffixes,
      Set<String> acceptedTriggers)
      throws SQLException;

  /** Rights that the account lacks. Changes nothing. */
  List<String> missingRights(Connection connection, Collection<Need> needs) throws SQLException;

  /** Says that a right is missing. */
  static String missing(String table, String right, String statement) {
    return "table %s: the right %s is missing (expected: granted to the account that Angarium uses); %s"
        .formatted(table, right, statement);
  }
}
