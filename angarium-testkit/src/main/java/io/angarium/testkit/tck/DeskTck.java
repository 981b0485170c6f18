package io.angarium.testkit.tck;

/**
 * The contract of {@link io.angarium.desk.Desk}. The test class of a desk implements it and gives a
 * {@link DeskFixture}, one for each test.
 */
public interface DeskTck
    extends MessageBrowserTck,
        DeskActsTck,
        DiscardedTck,
        PauseTck,
        BuryActTck,
        OperationTck,
        OperationStepTck {}
