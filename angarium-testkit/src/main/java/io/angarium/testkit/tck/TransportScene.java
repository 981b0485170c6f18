package io.angarium.testkit.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Destination;
import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.TimeSource;
import io.angarium.intake.Position;
import io.angarium.intake.StoredMessage;
import io.angarium.testkit.fake.BrokerMessage;
import io.angarium.transport.KeyOrder;
import io.angarium.transport.SendResult;
import io.angarium.transport.Transport;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What the tests of a transport say again and again. Not thread-safe: one thread at a time. */
final class TransportScene {
  private static final Instant WRITTEN = Instant.parse("2026-01-01T00:00:00Z");

  final TransportFixture fixture;
  final Transport transport;
  final GivenResults results = new GivenResults();

  /** Where messages go unless a test says otherwise. */
  final Destination destination;

  private final AtomicLong lastSequence;

  TransportScene(TransportFixture fixture) {
    this(fixture, fixture.transport(), fixture.freshDestination(), new AtomicLong());
  }

  private TransportScene(
      TransportFixture fixture,
      Transport transport,
      Destination destination,
      AtomicLong lastSequence) {
    this.fixture = fixture;
    this.transport = transport;
    this.destination = destination;
    this.lastSequence = lastSequence;
  }

  /** The same as a relay has it that shares the transport with others. */
  TransportScene of(String relay) {
    return new TransportScene(fixture, transport.of(relay), destination, lastSequence);
  }

  /** The same as a relay has it on a host with other clocks. */
  TransportScene on(TimeSource host) {
    return new TransportScene(fixture, fixture.transport(host), destination, lastSequence);
  }

  /** A message as a store gives it. */
  StoredMessage of(Message message) {
    long sequence = lastSequence.incrementAndGet();
    return new StoredMessage(
        new Position(1, sequence),
        new MessageId(new UUID(0x0190_0000_0000_7000L, Long.MIN_VALUE | sequence)),
        message,
        0,
        WRITTEN);
  }

  StoredMessage message(@Nullable String key) {
    byte[] payload = ("payload of " + key).getBytes(StandardCharsets.UTF_8);
    return of(Message.of(destination, payload).key(key));
  }

  /** Messages with a key each, that of no other. */
  List<StoredMessage> messages(int count) {
    return IntStream.range(0, count).mapToObj(i -> message("key-" + i)).toList();
  }

  /** Hands over and returns; fails if that throws or takes longer than the transport says. */
  void send(List<StoredMessage> messages) {
    results.expect(messages);
    new TimeLimit(transport.blockingMax().plus(fixture.patience()))
        .run("send", () -> transport.send(messages, results));
  }

  /**
   * Sends like {@link #send(List)}, and takes the results that were given when the call returned.
   * Takes them before any other thread continues.
   */
  List<GivenResults.Given> sendAndTake(List<StoredMessage> messages) {
    List<GivenResults.Given> taken = new ArrayList<>();
    results.expect(messages);
    new TimeLimit(transport.blockingMax().plus(fixture.patience()))
        .run(
            "send",
            () -> {
              transport.send(messages, results);
              taken.addAll(results.take());
            });
    return taken;
  }

  void send(StoredMessage... messages) {
    send(List.of(messages));
  }

  /** The longest that any result may take. */
  Duration resultLimit() {
    return transport.resultMax().plus(fixture.patience());
  }

  void awaitAll() {
    results.awaitAll(resultLimit());
  }

  /** Hands over and waits for the results. */
  void deliver(List<StoredMessage> messages) {
    send(messages);
    awaitAll();
  }

  /**
   * Hands over messages of one key as the transport allows: together, or each after the result of
   * the one before; and waits for the results.
   */
  void deliverInOrder(List<StoredMessage> messages) {
    if (transport.keyOrder() == KeyOrder.PIPELINED) {
      deliver(messages);
    } else {
      messages.forEach(message -> deliver(List.of(message)));
    }
  }

  SendResult resultOf(StoredMessage message) {
    return results.of(message);
  }

  void assertAcknowledged(List<StoredMessage> messages) {
    assertThat(messages)
        .allSatisfy(m -> assertThat(resultOf(m)).isEqualTo(SendResult.ACKNOWLEDGED));
  }

  /** Ids of what the broker stored for {@link #destination}. */
  List<MessageId> stored() {
    return fixture.stored(destination).stream().map(BrokerMessage::id).toList();
  }

  /** Ids of the messages with a key that the broker stored, as consumers get them. */
  List<MessageId> stored(String key) {
    return fixture.stored(destination).stream()
        .filter(stored -> key.equals(stored.message().key()))
        .map(BrokerMessage::id)
        .toList();
  }

  static List<MessageId> ids(List<StoredMessage> messages) {
    return messages.stream().map(StoredMessage::id).toList();
  }

  /** Every n-th message from the first one given. */
  static <T> List<T> every(int n, int first, List<T> all) {
    List<T> some = new ArrayList<>();
    for (int i = first; i < all.size(); i += n) {
      some.add(all.get(i));
    }
    return some;
  }
}
