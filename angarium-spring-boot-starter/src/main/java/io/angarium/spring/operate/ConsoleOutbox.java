package io.angarium.spring.operate;

import io.angarium.board.NodeBoard;
import io.angarium.console.settings.ConsoleAlerts;
import io.angarium.console.settings.ConsoleDatabase;
import io.angarium.half.check.CheckBackTrial;
import io.angarium.half.decide.HalfMessageDesk;
import io.angarium.intake.MessageIntake;
import io.angarium.jdbc.JdbcDatabase;
import io.angarium.jdbc.settings.SchemaFeature;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a console shows of the database of a process. */
public final class ConsoleOutbox {
  private ConsoleOutbox() {}

  /**
   * Puts together what there is. Blocks for the database, to look which tables it has.
   *
   * @param intake checks what persons change
   * @param half null without half messages
   * @param alerts null without alerts
   * @param board null if nodes tell nothing
   * @param trial null if this process asks no producers of half messages
   * @throws io.angarium.ConfigurationException if the tables of the console are missing or not as
   *     expected, or the account lacks a right
   */
  public static ConsoleDatabase of(
      JdbcDatabase database,
      MessageIntake intake,
      @Nullable HalfMessageDesk half,
      @Nullable ConsoleAlerts alerts,
      @Nullable NodeBoard board,
      @Nullable CheckBackTrial trial) {
    boolean confirmed = database.has(SchemaFeature.CONFIRMATION);
    return new ConsoleDatabase(
            ConsoleDatabase.DEFAULT,
            database.product(),
            database.keepsHistory(),
            database.desk(intake),
            half,
            confirmed ? List.of("confirmation") : List.of(),
            alerts,
            board)
        .operations(database.operationDesk())
        .confirmations(confirmed ? database.confirmationDesk() : null)
        .reports(database.has(SchemaFeature.REPORT) ? database.reportDesk() : null)
        .trial(trial);
  }
}
