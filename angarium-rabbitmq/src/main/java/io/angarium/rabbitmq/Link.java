package io.angarium.rabbitmq;

import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A channel with confirms, and what was published on it without an answer yet. Guarded by the lock
 * of {@link ChannelQueues}, except for {@link #publish}, which the publisher's thread alone calls.
 */
final class Link {
  /** Why the broker gave a message back. */
  record Return(int code, String text) {}

  final RabbitSession session;
  final ChannelQueue lane;
  private final Channel channel;

  /** By delivery tag, the oldest first. */
  private final Map<Long, RabbitAttempt> unconfirmed = new LinkedHashMap<>();

  /**
   * Messages that came back, by id; their confirms follow. One may be on its way twice, if its
   * first attempt was given up: the oldest return is that of the oldest attempt.
   */
  private final Map<String, Deque<Return>> returned = new HashMap<>(0);

  /** How many of the messages without an answer have already been given up. */
  private int givenUp;

  private long lastTag;
  private volatile boolean broken;

  Link(RabbitSession session, ChannelQueue lane, Channel channel) {
    this.session = session;
    this.lane = lane;
    this.channel = channel;
  }

  /** How many are without a confirm and wait for one. */
  int unconfirmed() {
    return unconfirmed.size() - givenUp;
  }

  /** How many were given up; the broker may confirm them yet, or break the channel for them. */
  int givenUp() {
    return givenUp;
  }

  /** Nothing can be published on it any more. */
  void broken() {
    broken = true;
  }

  boolean isUsable() {
    return !broken && channel.isOpen();
  }

  /**
   * Notes that a message is the next to be published. Tags are counted here as channel and broker
   * count them, so whatever is noted must be published next, or the channel given up.
   */
  void publishing(RabbitAttempt attempt, long nowNanos) {
    attempt.published(nowNanos);
    lastTag++;
    unconfirmed.put(lastTag, attempt);
  }

  /** Hands a message to the socket; blocks while that is full. */
  void publish(RabbitAttempt attempt) throws IOException, AlreadyClosedException {
    channel.basicPublish(
        attempt.address.exchange(),
        attempt.address.routingKey(),
        true,
        PropertyEncoding.properties(attempt.message),
        attempt.message.message().payload());
  }

  /** Takes out what a confirm, good or bad, is about; what was given up is not among it. */
  List<RabbitAttempt> confirmed(long tag, boolean multiple) {
    List<RabbitAttempt> confirmed = taken(tag, multiple);
    if (givenUp == 0) {
      return confirmed;
    }
    List<RabbitAttempt> waiting = confirmed.stream().filter(attempt -> !attempt.givenUp).toList();
    givenUp -= confirmed.size() - waiting.size();
    confirmed.stream().filter(attempt -> attempt.givenUp).forEach(this::takeReturn);
    return waiting;
  }

  private List<RabbitAttempt> taken(long tag, boolean multiple) {
    if (!multiple) {
      RabbitAttempt attempt = unconfirmed.remove(tag);
      return attempt == null ? List.of() : List.of(attempt);
    }
    List<RabbitAttempt> confirmed = new ArrayList<>();
    Iterator<Map.Entry<Long, RabbitAttempt>> entries = unconfirmed.entrySet().iterator();
    while (entries.hasNext()) {
      Map.Entry<Long, RabbitAttempt> entry = entries.next();
      if (entry.getKey() > tag) {
        break;
      }
      confirmed.add(entry.getValue());
      entries.remove();
    }
    return confirmed;
  }

  void returned(String messageId, Return reason) {
    returned.computeIfAbsent(messageId, id -> new ArrayDeque<>(1)).add(reason);
  }

  /** Why the broker gave a message back that it confirms now; null if it did not. */
  @Nullable Return takeReturn(RabbitAttempt attempt) {
    if (returned.isEmpty()) {
      return null;
    }
    String id = attempt.message.id().toString();
    Deque<Return> returns = returned.get(id);
    if (returns == null) {
      return null;
    }
    Return oldest = returns.poll();
    if (returns.isEmpty()) {
      returned.remove(id);
    }
    return oldest;
  }

  /** Gives up what has been without an answer for too long. */
  List<RabbitAttempt> giveUp(Predicate<RabbitAttempt> overdue) {
    List<RabbitAttempt> old = new ArrayList<>();
    for (RabbitAttempt attempt : unconfirmed.values()) {
      if (!attempt.givenUp && overdue.test(attempt)) {
        attempt.givenUp = true;
        givenUp++;
        old.add(attempt);
      }
    }
    return old;
  }

  /** Takes out everything that waits for a confirm. */
  List<RabbitAttempt> takeAll() {
    List<RabbitAttempt> all =
        new ArrayList<>(unconfirmed.values().stream().filter(attempt -> !attempt.givenUp).toList());
    unconfirmed.clear();
    givenUp = 0;
    return all;
  }
}
