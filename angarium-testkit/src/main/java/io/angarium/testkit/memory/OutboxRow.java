package io.angarium.testkit.memory;

import io.angarium.intake.StoredMessage;

/** A committed row of the outbox and the transaction that wrote it. */
record OutboxRow(StoredMessage message, long xid) {}
