package io.angarium.testkit.tck;

/**
 * The contract of {@link io.angarium.store.OutboxStore}, {@link io.angarium.deadletter.DeadLetters}
 * and {@link io.angarium.store.lease.LeaseStore}. A store's test class implements it and gives a
 * fixture:
 *
 * <pre>{@code
 * class InMemoryStoreTest implements StoreTck {
 *   private final StoreFixture fixture = new InMemoryStoreFixture();
 *
 *   public StoreFixture fixture() {
 *     return fixture;
 *   }
 * }
 * }</pre>
 */
public interface StoreTck extends OutboxStoreTck, LeaseStoreTck, StoreClockTck {}
