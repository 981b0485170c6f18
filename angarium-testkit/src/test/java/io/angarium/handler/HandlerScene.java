package io.angarium.handler;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Destination;
import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.inbox.InboxKey;
import io.angarium.intake.Position;
import io.angarium.intake.StoredMessage;
import io.angarium.testkit.ManualClock;
import io.angarium.testkit.memory.InMemoryInbox;
import io.angarium.transport.SendResult;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** An inbox in memory, a clock moved by hand, and a transport with the handlers of a test. */
final class HandlerScene implements AutoCloseable {
  static final Duration PATIENCE = Duration.ofSeconds(60);

  final InMemoryInbox inbox = new InMemoryInbox();
  final ManualClock clock = ManualClock.create();
  final HandlerConfig config;
  final HandlerTransport<List<String>> transport;
  private final Queue<String> faults = new ConcurrentLinkedQueue<>();
  private long lastSequence;

  HandlerScene(HandlerConfig config, NamedHandler... handlers) {
    this.config = config;
    this.transport = HandlerTransport.open(inbox, List.of(handlers), config, clock);
  }

  static HandlerScene of(NamedHandler... handlers) {
    return new HandlerScene(HandlerConfig.DEFAULTS, handlers);
  }

  /** A handler that writes the text of each message. */
  static NamedHandler writing(String name) {
    return NamedHandler.of(name, (writes, delivery) -> writes.add(text(delivery)));
  }

  /** A handler that throws what its work throws, without writing before. */
  static NamedHandler throwing(String name, NamedHandler.Work work) {
    return NamedHandler.of(
        name,
        (writes, delivery) -> {
          writes.add("never to be seen");
          work.handle(writes, delivery);
        });
  }

  /** A handler that writes the text of each message once it may. */
  static NamedHandler waiting(String name, CountDownLatch begun, CountDownLatch end) {
    return NamedHandler.of(
        name,
        (writes, delivery) -> {
          writes.add(text(delivery));
          begun.countDown();
          await(end);
        });
  }

  static String text(Delivery delivery) {
    return new String(delivery.message().payload(), UTF_8);
  }

  /** A message as a store gives it. */
  StoredMessage message(String handler, @Nullable String key, String text) {
    Destination destination = new Destination("handler", handler);
    lastSequence++;
    return new StoredMessage(
        new Position(1, lastSequence),
        new MessageId(new UUID(0x0190_0000_0000_7000L, Long.MIN_VALUE | lastSequence)),
        Message.of(destination, text.getBytes(UTF_8)).key(key),
        0,
        Instant.EPOCH);
  }

  StoredMessage message(String handler, String text) {
    return message(handler, null, text);
  }

  /** The key by which the inbox knows a message of a handler. */
  static InboxKey key(StoredMessage message) {
    String handler = message.message().destination().address();
    return InboxKey.of("handler:" + handler, message.id());
  }

  /** Hands over; a result too many fails {@link #close}. */
  CompletableFuture<SendResult> send(StoredMessage message) {
    CompletableFuture<SendResult> future = new CompletableFuture<>();
    transport.send(
        List.of(message),
        (given, result) -> {
          if (!given.equals(message) || !future.complete(result)) {
            faults.add(result + " for " + given);
          }
        });
    return future;
  }

  /** Hands over and waits for the result. */
  SendResult deliver(StoredMessage message) {
    return result(send(message));
  }

  static SendResult result(CompletableFuture<SendResult> future) {
    try {
      return future.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new AssertionError("no result within " + PATIENCE, e);
    } catch (ExecutionException e) {
      throw new AssertionError(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  static void await(CountDownLatch latch) {
    try {
      if (!latch.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        throw new AssertionError("nothing within " + PATIENCE);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  /** Closes the transport, and fails if it gave more results than it was handed messages. */
  @Override
  public void close() {
    transport.close();
    assertThat(faults).as("results too many").isEmpty();
  }
}
