package io.angarium.testkit.tck;

/**
 * The contract of {@link io.angarium.transport.Transport}. A transport's test class implements it
 * and gives a fixture:
 *
 * <pre>{@code
 * class ChainedFakeTransportTest implements TransportTck {
 *   private final TransportFixture fixture = new FakeTransportFixture();
 *
 *   public TransportFixture fixture() {
 *     return fixture;
 *   }
 * }
 * }</pre>
 */
public interface TransportTck
    extends SendResultTck,
        DeliveredMessageTck,
        TransportOrderTck,
        RefusalTck,
        OutageTck,
        TransportClockTck,
        TransportLifeTck {}
