package io.angarium.rocketmq;

import io.angarium.Destination;
import io.angarium.Message;
import io.angarium.intake.StoredMessage;
import io.angarium.rocketmq.QueueLane.Batch;
import io.angarium.rocketmq.RocketCaller.Call;
import io.angarium.testkit.ManualClock;
import io.angarium.testtransports.Messages;
import io.angarium.transport.SendResult;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.apache.rocketmq.common.message.MessageQueue;
import org.jspecify.annotations.Nullable;

/** Queues of one topic without a cluster: a test says what is answered. Not thread-safe. */
final class QueuesScene {
  static final MessageQueue FIRST = new MessageQueue("t", "broker-a", 0);
  static final MessageQueue SECOND = new MessageQueue("t", "broker-a", 1);
  static final MessageQueue ELSEWHERE = new MessageQueue("t", "broker-b", 0);
  private static final RocketAddress ADDRESS = new RocketAddress("t", "");

  final ManualClock clock = ManualClock.create();
  final List<Batch> requests = new ArrayList<>();
  final Queues queues;
  private final Map<StoredMessage, SendResult> results = new HashMap<>();
  private final RocketCaller caller = new RocketCaller();
  private BiConsumer<StoredMessage, SendResult> onResult = (message, result) -> {};

  QueuesScene(RocketConfig config) {
    this.queues = new Queues(config, new RocketDiagnosis(config), clock, requests::add);
  }

  /** Hears of each result when it is given. */
  void onResult(BiConsumer<StoredMessage, SendResult> onResult) {
    this.onResult = onResult;
  }

  static StoredMessage message(@Nullable String key) {
    return Messages.of(new Destination("rocketmq", "t"), key, "x");
  }

  /** One for another topic, of which nobody wants to know the result. */
  static RocketAttempt attempt(Message message, String topic) {
    StoredMessage stored = Messages.of(message);
    return attempt(
        stored,
        new RocketAddress(topic, ""),
        new RocketCaller().call(true),
        0,
        (given, result) -> {});
  }

  private static RocketAttempt attempt(
      StoredMessage stored,
      RocketAddress address,
      Call call,
      long nanos,
      BiConsumer<StoredMessage, SendResult> results) {
    String properties = MessageEncoding.properties(stored.id(), stored.message(), address);
    return new RocketAttempt(stored, address, properties, results, call, nanos);
  }

  void send(StoredMessage... messages) {
    send(caller, messages);
  }

  void send(RocketCaller from, StoredMessage... messages) {
    Call call = queues.beginCall(from, List.of(messages));
    List<RocketAttempt> attempts = new ArrayList<>();
    for (StoredMessage message : messages) {
      results.remove(message);
      attempts.add(attempt(message, ADDRESS, call, clock.nanoTime(), this::give));
    }
    queues.offer(attempts);
  }

  private void give(StoredMessage message, SendResult result) {
    results.put(message, result);
    onResult.accept(message, result);
  }

  void lookedUp(MessageQueue... found) {
    queues.lookedUp("t", List.of(found), clock.nanoTime());
  }

  /** The messages of a request, counted from 0. */
  List<StoredMessage> sent(int request) {
    return requests.get(request).attempts().stream().map(attempt -> attempt.message).toList();
  }

  Batch lastRequest() {
    return requests.get(requests.size() - 1);
  }

  /** The result of the last attempt, or null. */
  @Nullable SendResult result(StoredMessage message) {
    return results.get(message);
  }
}
