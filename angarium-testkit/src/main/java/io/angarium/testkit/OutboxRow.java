package io.angarium.testkit;

import io.angarium.store.StoredMessage;

/** A committed row of the outbox and the transaction that wrote it. */
record OutboxRow(StoredMessage message, long xid) {}
