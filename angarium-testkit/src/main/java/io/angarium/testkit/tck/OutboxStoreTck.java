package io.angarium.testkit.tck;

/** The contract of {@link io.angarium.store.OutboxStore} and of the dead letters in it. */
public interface OutboxStoreTck
    extends SourceTck,
        OutboxReadTck,
        LateRowsTck,
        ReadLimitTck,
        MarkTck,
        DeleteTck,
        EraTck,
        ParkingTck,
        SettleParkedTck,
        FenceTck,
        DelayedTck,
        GlanceTck,
        BacklogTck,
        BusinessKeyTck,
        MessageRoundTripTck,
        BurialTck,
        DeadLettersTck {}
