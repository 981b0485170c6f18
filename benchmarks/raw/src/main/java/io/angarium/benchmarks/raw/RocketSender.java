package io.angarium.benchmarks.raw;

import io.angarium.benchmarks.arm.ArmSettings;
import io.angarium.benchmarks.arm.Sender;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.client.producer.SendCallback;
import org.apache.rocketmq.client.producer.SendResult;
import org.apache.rocketmq.client.producer.SendStatus;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageAccessor;
import org.apache.rocketmq.common.message.MessageConst;
import org.apache.rocketmq.common.message.MessageQueue;
import org.jspecify.annotations.Nullable;

/**
 * Asynchronous requests of many messages to RocketMQ. The queue is chosen by the key, and one
 * request for each queue is under way at a time: the broker works on requests with several threads,
 * so two for a queue could change places. What comes meanwhile is the next request. One that fails,
 * as when the broker is busy, goes again. Thread-safe.
 */
final class RocketSender implements Sender {
  private static final int REQUEST_MESSAGES_MAX = 1_000;
  private static final int REQUEST_BYTES_MAX = 1 << 20;
  private static final int TRIES_MAX = 20;

  /** Instead of 3 s, after which a busy broker would get a request twice. */
  private static final int TIMEOUT_MILLIS = 30_000;

  private static final Executor LATER =
      CompletableFuture.delayedExecutor(100, TimeUnit.MILLISECONDS);

  private final String topic;
  private final DefaultMQProducer producer = new DefaultMQProducer("raw");
  private final List<Lane> lanes = new ArrayList<>();
  private final AtomicLong acknowledged = new AtomicLong();
  private int turn;

  private record Outbound(Message message, Consumer<@Nullable Throwable> done) {}

  @SuppressWarnings("deprecation") // there is no other way to set the time for the queues
  RocketSender(ArmSettings settings) throws Exception {
    this.topic = settings.topic();
    producer.setNamesrvAddr(settings.brokerAddress());
    producer.setRetryTimesWhenSendAsyncFailed(0); // below, whatever the failure
    producer.setSendMsgTimeout(TIMEOUT_MILLIS);
    producer.setMqClientApiTimeout(TIMEOUT_MILLIS);
    producer.start();
    producer
        .getDefaultMQProducerImpl()
        .getMqClientFactory()
        .getMQAdminImpl()
        .setTimeoutMillis(TIMEOUT_MILLIS);
    producer.fetchPublishMessageQueues(topic).forEach(queue -> lanes.add(new Lane(queue)));
  }

  @Override
  public void send(@Nullable String key, byte[] payload, Consumer<@Nullable Throwable> done) {
    Message message = new Message(topic, payload);
    if (key != null) {
      MessageAccessor.putProperty(message, MessageConst.PROPERTY_SHARDING_KEY, key);
    }
    int number = key == null ? turn++ : key.hashCode();
    lanes.get(Math.floorMod(number, lanes.size())).add(new Outbound(message, done));
  }

  @Override
  public long acknowledged() {
    return acknowledged.get();
  }

  @Override
  public void close() {
    producer.shutdown();
  }

  /** What goes to one queue. */
  private final class Lane implements SendCallback {
    private final MessageQueue queue;
    private final Deque<Outbound> waiting = new ArrayDeque<>();

    /** Empty while no request is under way. */
    private List<Outbound> request = List.of();

    private int failures;

    private Lane(MessageQueue queue) {
      this.queue = queue;
    }

    private void add(Outbound outbound) {
      if (isFirst(outbound)) {
        send();
      }
    }

    private synchronized boolean isFirst(Outbound outbound) {
      waiting.add(outbound);
      return request.isEmpty() && takeNext();
    }

    /** The next request's messages. */
    private List<Outbound> next() {
      List<Outbound> next = new ArrayList<>();
      int bytes = 0;
      while (!waiting.isEmpty()
          && next.size() < REQUEST_MESSAGES_MAX
          && bytes < REQUEST_BYTES_MAX) {
        Outbound outbound = waiting.remove();
        bytes += outbound.message().getBody().length;
        next.add(outbound);
      }
      return next;
    }

    private void send() {
      List<Message> messages = request.stream().map(Outbound::message).toList();
      try {
        if (messages.size() == 1) {
          producer.send(messages.get(0), queue, this);
        } else {
          producer.send(messages, queue, this);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        onException(e);
      } catch (Exception e) { // of many kinds
        onException(e);
      }
    }

    @Override
    public void onSuccess(SendResult result) {
      boolean stored = result.getSendStatus() == SendStatus.SEND_OK;
      ended(stored ? null : new IllegalStateException(result.toString()));
    }

    @Override
    public void onException(Throwable e) {
      ended(e);
    }

    private void ended(@Nullable Throwable failure) {
      if (failure != null && ++failures < TRIES_MAX) {
        LATER.execute(this::send);
        return;
      }
      failures = 0;
      List<Outbound> ended = request;
      if (failure == null) {
        acknowledged.addAndGet(ended.size());
      }
      if (takeNext()) {
        send();
      }
      ended.forEach(outbound -> outbound.done().accept(failure));
    }

    private synchronized boolean takeNext() {
      request = next();
      return !request.isEmpty();
    }
  }
}
