package io.angarium.tests.spring;

import io.angarium.intake.StoredMessage;
import io.angarium.transport.KeyOrder;
import io.angarium.transport.SendResult;
import io.angarium.transport.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/** A transport that keeps what it gets, or says that it is down. */
final class Mailbox implements Transport {
  private static final long GENEROUS_SECONDS = 60;

  private final BlockingQueue<StoredMessage> arrived = new LinkedBlockingQueue<>();
  private final List<StoredMessage> all = new ArrayList<>();
  private volatile boolean down;

  void down(boolean down) {
    this.down = down;
  }

  @Override
  public String name() {
    return "mailbox";
  }

  @Override
  public KeyOrder keyOrder() {
    return KeyOrder.PIPELINED;
  }

  @Override
  public void send(List<StoredMessage> messages, BiConsumer<StoredMessage, SendResult> results) {
    for (StoredMessage message : messages) {
      if (down) {
        results.accept(message, new SendResult.Unavailable("mailbox is down", null));
      } else {
        keep(message);
        results.accept(message, SendResult.ACKNOWLEDGED);
      }
    }
  }

  private synchronized void keep(StoredMessage message) {
    all.add(message);
    arrived.add(message);
  }

  /** The next message; fails if none comes. */
  StoredMessage next() {
    try {
      StoredMessage message = arrived.poll(GENEROUS_SECONDS, TimeUnit.SECONDS);
      if (message == null) {
        throw new AssertionError("No message within " + GENEROUS_SECONDS + " s");
      }
      return message;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("Interrupted while waiting for a message", e);
    }
  }

  /** Keys of everything that ever arrived, repeats included. */
  synchronized List<String> keys() {
    return all.stream().map(message -> String.valueOf(message.message().key())).toList();
  }

  @Override
  public Duration resultMax() {
    return Duration.ofSeconds(1);
  }

  @Override
  public Duration blockingMax() {
    return Duration.ZERO;
  }

  @Override
  public void flush(Duration timeout) {
    // results are given at once
  }

  @Override
  public void close() {
    // nothing to free
  }
}
