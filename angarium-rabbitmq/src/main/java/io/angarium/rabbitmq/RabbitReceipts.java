package io.angarium.rabbitmq;

import com.rabbitmq.client.Address;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.Delivery;
import io.angarium.confirmation.ReceiptIntake;
import io.angarium.confirmation.ReceiptReading;
import io.angarium.confirmation.ReceiptSource;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * Reads receipts from a queue and notes them; they are acknowledged after that. Connects anew after
 * an outage, and when the queue is gone. Every node of the producer may have one. Thread-safe.
 */
public final class RabbitReceipts implements AutoCloseable {
  private static final int PREFETCH = 50;
  private static final int CLOSE_MAX_MILLIS = 3_000;
  private static final Duration RETRY_PAUSE = Duration.ofSeconds(1);

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
    ConnectionFactory factory = Connections.consuming(config, customizer);
    List<Address> addresses = List.of(Address.parseAddresses(config.addresses()));
    return new RabbitReceipts(
        ReceiptReading.start(
            "rabbitmq",
            "/" + queue,
            () -> open(factory.newConnection(addresses, config.clientName()), queue, intake)));
  }

  private static Session open(Connection connection, String queue, ReceiptIntake intake)
      throws IOException, TimeoutException {
    Session session = new Session(connection, queue, intake);
    try {
      session.consume();
      return session;
    } catch (IOException | RuntimeException e) {
      session.close();
      throw e;
    }
  }

  private static final class Session implements ReceiptSource.Session {
    private final Connection connection;
    private final String queue;
    private final ReceiptIntake intake;
    private final CountDownLatch end = new CountDownLatch(1);

    Session(Connection connection, String queue, ReceiptIntake intake) {
      this.connection = connection;
      this.queue = queue;
      this.intake = intake;
    }

    void consume() throws IOException {
      connection.addShutdownListener(cause -> end.countDown());
      Channel channel = connection.createChannel();
      channel.addShutdownListener(cause -> end.countDown());
      channel.basicQos(PREFETCH);
      channel.basicConsume(
          queue, false, (tag, delivery) -> take(channel, delivery), tag -> end.countDown());
    }

    private void take(Channel channel, Delivery delivery) throws IOException {
      long tag = delivery.getEnvelope().getDeliveryTag();
      if (intake.taken(queue, List.of(delivery.getBody()))) {
        channel.basicAck(tag, false);
      } else {
        giveBack(channel, tag);
      }
    }

    /** After a pause: else the broker would send it again at once. */
    private void giveBack(Channel channel, long tag) throws IOException {
      try {
        if (!end.await(RETRY_PAUSE.toNanos(), TimeUnit.NANOSECONDS)) {
          channel.basicNack(tag, false, true);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public boolean read() throws IOException {
      if (end.getCount() == 0) {
        throw new IOException("the queue " + queue + " or the connection was lost");
      }
      return false; // the client calls back
    }

    @Override
    public void close() {
      end.countDown();
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
