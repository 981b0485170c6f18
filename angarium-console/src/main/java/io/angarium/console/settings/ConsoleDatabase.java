package io.angarium.console.settings;

import io.angarium.board.NodeBoard;
import io.angarium.confirmation.ConfirmationDesk;
import io.angarium.desk.Desk;
import io.angarium.half.check.CheckBackTrial;
import io.angarium.half.decide.HalfMessageDesk;
import io.angarium.operation.OperationDesk;
import io.angarium.reconciliation.ReportDesk;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A database that the console shows. Immutable.
 *
 * @param name in addresses: lower case letters, digits and dashes, at most 40
 * @param product the database's name as its makers write it
 * @param history whether sent messages are kept
 * @param half where half messages are decided; null if there are none
 * @param features what else is in use, as pages name it
 * @param alerts the alerts of this database; null if nothing looks for any
 * @param board what its relay nodes tell; null if they tell nothing
 * @param confirmations where unconfirmed messages are looked after; null if there are none
 * @param reports where reports of reconciliations are looked after; null if none are kept
 * @param trial asks producers of half messages for a person; null if this process asks none
 * @param operations where acts on many messages begin; null if no node carries them out
 */
public record ConsoleDatabase(
    String name,
    String product,
    boolean history,
    Desk desk,
    @Nullable HalfMessageDesk half,
    List<String> features,
    @Nullable ConsoleAlerts alerts,
    @Nullable NodeBoard board,
    @Nullable ConfirmationDesk confirmations,
    @Nullable ReportDesk reports,
    @Nullable CheckBackTrial trial,
    @Nullable OperationDesk operations) {
  /** The name of a database that has none of its own. */
  public static final String DEFAULT = "default";

  private static final Pattern NAME = Pattern.compile("[a-z0-9-]{1,40}");

  /**
   * Checks the name.
   *
   * @throws IllegalArgumentException if it cannot stand in an address
   */
  public ConsoleDatabase {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "name of a database: '%s' (expected: 1..40 lower case letters, digits and dashes)"
              .formatted(name));
    }
    features = List.copyOf(features);
  }

  /** One without confirmations, reports, questions to producers and operations. */
  public ConsoleDatabase(
      String name,
      String product,
      boolean history,
      Desk desk,
      @Nullable HalfMessageDesk half,
      List<String> features,
      @Nullable ConsoleAlerts alerts,
      @Nullable NodeBoard board) {
    this(name, product, history, desk, half, features, alerts, board, null, null, null, null);
  }

  /** A copy with the messages that wait for receipts. */
  public ConsoleDatabase confirmations(@Nullable ConfirmationDesk confirmations) {
    return with(confirmations, reports, trial, operations);
  }

  /** A copy with the reports of reconciliations. */
  public ConsoleDatabase reports(@Nullable ReportDesk reports) {
    return with(confirmations, reports, trial, operations);
  }

  /** A copy that can ask producers of half messages. */
  public ConsoleDatabase trial(@Nullable CheckBackTrial trial) {
    return with(confirmations, reports, trial, operations);
  }

  /** A copy with the acts on many messages. */
  public ConsoleDatabase operations(@Nullable OperationDesk operations) {
    return with(confirmations, reports, trial, operations);
  }

  private ConsoleDatabase with(
      @Nullable ConfirmationDesk confirmations,
      @Nullable ReportDesk reports,
      @Nullable CheckBackTrial trial,
      @Nullable OperationDesk operations) {
    return new ConsoleDatabase(
        name,
        product,
        history,
        desk,
        half,
        features,
        alerts,
        board,
        confirmations,
        reports,
        trial,
        operations);
  }
}
