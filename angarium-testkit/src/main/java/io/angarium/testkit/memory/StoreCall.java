package io.angarium.testkit.memory;

/** The calls to an {@link InMemoryDatabase} at which {@link StoreFaults} can strike. */
public enum StoreCall {
  /** {@link Tx#commit}. */
  COMMIT,
  /** {@link io.angarium.store.OutboxStore#read}. */
  READ,
  /** {@link io.angarium.store.OutboxStore#readLate}. */
  READ_LATE,
  /** {@link io.angarium.store.OutboxStore#lastSequence}. */
  LAST_SEQUENCE,
  /** {@link io.angarium.store.OutboxStore#glance}. */
  GLANCE,
  /** {@link io.angarium.store.OutboxStore#mark}. */
  MARK,
  /** {@link io.angarium.store.OutboxStore#settled}. */
  SETTLED,
  /** {@link io.angarium.store.OutboxStore#delete} and {@code deleteExact}. */
  DELETE,
  /** {@link io.angarium.store.OutboxStore#park}. */
  PARK,
  /** {@link io.angarium.store.OutboxStore#held}. */
  HELD,
  /** {@link io.angarium.store.OutboxStore#blockedKeys}. */
  BLOCKED_KEYS,
  /** {@link io.angarium.store.OutboxStore#dueHeads}. */
  DUE_HEADS,
  /** {@link io.angarium.store.OutboxStore#parkedOfKey}. */
  PARKED_OF_KEY,
  /** {@link io.angarium.store.OutboxStore#settleParked}. */
  SETTLE_PARKED,
  /** {@link io.angarium.store.OutboxStore#bury}. */
  BURY,
  /** {@link io.angarium.store.OutboxStore#enqueueDue}. */
  ENQUEUE_DUE,
  /** {@link io.angarium.store.OutboxStore#backlog}. */
  BACKLOG,
  /** {@link io.angarium.deadletter.DeadLetters#page}. */
  PAGE,
  /** {@link io.angarium.deadletter.DeadLetters#find}. */
  FIND,
  /** {@link io.angarium.deadletter.DeadLetters#requeue}. */
  REQUEUE,
  /** {@link io.angarium.deadletter.DeadLetters#discard}. */
  DISCARD,
  /** Every call of {@link io.angarium.desk.MessageBrowser} and {@code AuditLog.page}. */
  BROWSE,
  /**
   * Every call of {@link io.angarium.desk.MessageActs}, of operations and {@code AuditLog.note}.
   */
  ACT,
  /** {@link io.angarium.store.lease.LeaseStore#prepare}. */
  PREPARE,
  /** {@link io.angarium.store.lease.LeaseStore#heartbeat}. */
  HEARTBEAT,
  /** {@link io.angarium.store.lease.LeaseStore#acquire}. */
  ACQUIRE,
  /** {@link io.angarium.store.lease.LeaseStore#transports}. */
  TRANSPORTS,
  /** {@link io.angarium.store.lease.LeaseStore#handOver}. */
  HAND_OVER,
  /** {@link io.angarium.store.lease.LeaseStore#release}. */
  RELEASE,
  /** {@link io.angarium.store.lease.LeaseStore#leave}. */
  LEAVE
}
