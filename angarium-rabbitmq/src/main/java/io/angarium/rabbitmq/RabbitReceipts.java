package io.angarium.rabbitmq;

import com.rabbitmq.client.Address;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.Delivery;
import io.angarium.TimeSource;
import io.angarium.confirmation.ReceiptIntake;
import io.angarium.confirmation.ReceiptReading;
import io.angarium.confirmation.ReceiptSource;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Reads receipts from a queue and notes them; they are acknowledged after that. Connects anew after
 * an outage, and when the queue is gone. Every node of the producer may have one. Thread-safe.
 *
 * <p>What the database does not take is kept and stored when it does, unacknowledged, instead of
 * being given back: a queue counts how often a message comes back, and drops it after the limit.
 */
public final class RabbitReceipts implements AutoCloseable {
  private static final int PREFETCH = 50;
  private static final int CLOSE_MAX_MILLIS = 3_000;
  private static final Duration RETRY_PAUSE = Duration.ofSeconds(1);

  /** Below the time that a broker gives a consumer for its acknowledgement, 15 or 30 minutes. */
  private static final Duration HOLD_MAX = Duration.ofMinutes(10);

  private final ReceiptReading reading;

  private RabbitReceipts(ReceiptReading reading) {
    this.reading = reading;
  }

  /**
   * Starts reading; while that cannot be done, because the broker is away or there is no such
   * queue, it is tried again, and logged.
   *
   * @param queue that consumers send their receipts to
   */
  public static RabbitReceipts start(RabbitConfig config, String queue, ReceiptIntake intake) {
    return start(config, factory -> {}, queue, intake);
  }

  /**
   * Starts reading from a broker that needs what {@link RabbitConfig} has no part for, as {@link
   * RabbitTransport#open(RabbitConfig, Consumer)} does.
   *
   * @param customizer called once; that connections do not recover by themselves stays
   * @param queue that consumers send their receipts to
   */
  public static RabbitReceipts start(
      RabbitConfig config,
      Consumer<ConnectionFactory> customizer,
      String queue,
      ReceiptIntake intake) {
    return start(config, customizer, queue, intake, HOLD_MAX);
  }

  /**
   * Starts like the public method, with a limit of its own on unacknowledged deliveries.
   *
   * @param holdMax how long a delivery may be kept unacknowledged
   */
  static RabbitReceipts start(
      RabbitConfig config,
      Consumer<ConnectionFactory> customizer,
      String queue,
      ReceiptIntake intake,
      Duration holdMax) {
    ConnectionFactory factory = Connections.consuming(config, customizer);
    List<Address> addresses = List.of(Address.parseAddresses(config.addresses()));
    return new RabbitReceipts(
        ReceiptReading.start(
            "rabbitmq",
            "/" + queue,
            () -> {
              Connection connection = factory.newConnection(addresses, config.clientName());
              return consuming(new ReceiptSession(connection, queue, intake, holdMax));
            }));
  }

  private static ReceiptSession consuming(ReceiptSession session) throws IOException {
    try {
      session.consume();
      return session;
    } catch (IOException | RuntimeException e) {
      session.close();
      throw e;
    }
  }

  private static final class ReceiptSession implements ReceiptSource.Session {
    private final Connection connection;
    private final String queue;
    private final ReceiptIntake intake;
    private final Duration holdMax;
    private final CountDownLatch lost = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);

    /** True while a delivery is being stored, however long that takes. */
    private volatile boolean storing;

    ReceiptSession(Connection connection, String queue, ReceiptIntake intake, Duration holdMax) {
      this.connection = connection;
      this.queue = queue;
      this.intake = intake;
      this.holdMax = holdMax;
    }

    void consume() throws IOException {
      connection.addShutdownListener(cause -> lost.countDown());
      Channel channel = connection.createChannel();
      channel.addShutdownListener(cause -> lost.countDown());
      channel.basicQos(PREFETCH);
      channel.basicConsume(
          queue, false, (tag, delivery) -> take(channel, delivery), tag -> lost.countDown());
    }

    private void take(Channel channel, Delivery delivery) throws IOException {
      if (isLost()) {
        return; // it comes again through another channel
      }
      storing = true;
      try {
        if (isStored(channel, delivery.getBody()) && !isLost()) {
          channel.basicAck(delivery.getEnvelope().getDeliveryTag(), false);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } finally {
        storing = false;
      }
    }

    /** False if the session was closed before the database took it. */
    private boolean isStored(Channel channel, byte[] text)
        throws IOException, InterruptedException {
      long since = TimeSource.SYSTEM.nanoTime();
      while (!intake.taken(queue, List.of(text))) {
        if (!isLost() && TimeSource.SYSTEM.nanoTime() - since > holdMax.toNanos()) {
          channel.abort(); // once in an outage: reading begins anew when this one is stored
        }
        if (closed.await(RETRY_PAUSE.toNanos(), TimeUnit.NANOSECONDS)) {
          return false;
        }
      }
      return true;
    }

    private boolean isLost() {
      return lost.getCount() == 0;
    }

    @Override
    public boolean read() throws IOException {
      if (isLost() && !storing) {
        throw new IOException("the queue " + queue + " or the connection was lost");
      }
      return false; // the client calls back
    }

    @Override
    public void close() {
      lost.countDown();
      closed.countDown();
      connection.abort(CLOSE_MAX_MILLIS);
    }
  }

  /**
   * Ends the reading; waits five seconds at most. What is not acknowledged comes again. May be
   * called twice.
   */
  @Override
  public void close() {
    reading.close();
  }
}
