package io.angarium.testkit.fake;

import io.angarium.Destination;
import io.angarium.Message;
import io.angarium.MessageLimits;
import io.angarium.intake.StoredMessage;
import io.angarium.testkit.fake.FakeTransport.Outcome;
import io.angarium.testkit.tck.TransportFixture;
import io.angarium.transport.KeyOrder;
import io.angarium.transport.Transport;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;

/** The {@link TransportFixture} of a {@link FakeTransport}. */
public final class FakeTransportFixture implements TransportFixture {
  /** Gives results a little later, from other threads. */
  static final Executor LATER = CompletableFuture.delayedExecutor(1, TimeUnit.MILLISECONDS);

  private static final Destination UNKNOWN = Destination.parse("fake:unknown");

  private final FakeBroker broker = new FakeBroker();
  private final Transport transport;
  private final Duration patience;
  private volatile boolean away;
  private int destinations;

  /**
   * @param resultThread gives the results
   */
  public FakeTransportFixture(KeyOrder keyOrder, Executor resultThread) {
    this(keyOrder, resultThread, Duration.ofSeconds(30), (fake, away) -> fake);
  }

  /**
   * @param around puts something around the transport, and may ask whether the broker is away
   */
  public FakeTransportFixture(
      KeyOrder keyOrder,
      Executor resultThread,
      Duration patience,
      BiFunction<Transport, BooleanSupplier, Transport> around) {
    FakeTransport fake = FakeTransport.to(broker, "fake", keyOrder);
    fake.resultsOn(resultThread).resultMax(Duration.ofMillis(50)).outcomes(this::outcome);
    this.patience = patience;
    this.transport = around.apply(fake, () -> away);
  }

  private Outcome outcome(StoredMessage message) {
    if (away) {
      boolean even = message.position().sequence() % 2 == 0;
      return even ? Outcome.UNAVAILABLE_AFTER_STORING : Outcome.UNAVAILABLE;
    }
    boolean refused =
        message.message().destination().equals(UNKNOWN)
            || message.message().payload().length > MessageLimits.DEFAULTS.payloadBytesMax();
    return refused ? Outcome.REFUSE : Outcome.ACKNOWLEDGE;
  }

  @Override
  public Transport transport() {
    return transport;
  }

  @Override
  public Destination freshDestination() {
    return Destination.parse("fake:fresh-" + ++destinations);
  }

  @Override
  public Destination unknownDestination() {
    return UNKNOWN;
  }

  @Override
  public Message tooLarge(Destination destination) {
    return Message.of(destination, new byte[MessageLimits.DEFAULTS.payloadBytesMax() + 1]);
  }

  @Override
  public List<BrokerMessage> stored(Destination destination) {
    return broker.stored(destination).stream()
        .map(stored -> new BrokerMessage(stored.id(), stored.message()))
        .toList();
  }

  @Override
  public void makeUnavailable() {
    away = true;
  }

  @Override
  public void makeAvailable() {
    away = false;
  }

  @Override
  public Duration patience() {
    return patience;
  }

  @Override
  public void close() {
    transport.close();
  }
}
