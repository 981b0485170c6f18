package io.angarium.testkit.alert;

/**
 * The contract of {@link io.angarium.alert.AlertStore} and {@link io.angarium.alert.AlertDesk}. The
 * test class of an implementation implements it and gives an {@link AlertFixture}, one for each
 * test.
 */
public interface AlertTck
    extends AlertTurnTck, AlertRowsTck, AlertNoticeTck, AlertActsTck, SilenceTck, AlertRaceTck {}
