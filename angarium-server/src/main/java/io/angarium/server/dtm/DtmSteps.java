package io.angarium.server.dtm;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.angarium.Destination;
import io.angarium.Headers;
import io.angarium.Message;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessage;
import io.angarium.http.DtmStep;
import io.angarium.server.dtm.DtmMessage.Step;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * The steps of dtm's messages as messages of the outbox: each is one, and carries those after it.
 * Immutable.
 */
public final class DtmSteps {
  /** Header that says that the payload is an {@link Envelope}. */
  public static final String MORE = "dtm-more";

  private final String business;

  public DtmSteps(String business) {
    this.business = business;
  }

  /**
   * The payload of a step that others follow. Immutable.
   *
   * @param payload what the step itself is called with
   * @param next those after it
   */
  public record Envelope(String payload, List<Step> next) {}

  /** The key of a message. */
  HalfKey key(String gid) {
    return new HalfKey(business, gid);
  }

  /** What a client prepares: its first step. */
  public HalfMessage first(DtmMessage message) {
    Message step = message(headers(message, 1), message.steps());
    return HalfMessage.of(key(message.gid()), step)
        .delay(message.delay())
        .checkBack(message.queryPrepared());
  }

  /** Each step by itself, to look whether it may be called. */
  List<Message> each(DtmMessage message) {
    return message.steps().stream()
        .map(step -> message(headers(message, 1), List.of(step)))
        .toList();
  }

  private static Headers headers(DtmMessage message, int number) {
    Map<String, String> headers = new LinkedHashMap<>();
    message.headers().forEach((name, value) -> headers.put(DtmStep.HEADER_PREFIX + name, value));
    headers.put(DtmStep.GID, message.gid());
    headers.put(DtmStep.BRANCH, branch(number));
    return Headers.of(headers);
  }

  private static String branch(int number) {
    return "%02d".formatted(number);
  }

  private static Message message(Headers headers, List<Step> steps) {
    Step step = steps.get(0);
    Destination destination = new Destination(DtmStep.TRANSPORT, step.action());
    if (steps.size() == 1) {
      return Message.of(destination, step.payload().getBytes(UTF_8)).headers(headers);
    }
    Envelope envelope = new Envelope(step.payload(), steps.subList(1, steps.size()));
    return Message.of(destination, JsonMapper.shared().writeValueAsBytes(envelope))
        .headers(headers.with(MORE, String.valueOf(envelope.next().size())));
  }

  /**
   * What the step of a message is called with, and which follow; empty if none do.
   *
   * @throws RuntimeException if they cannot be read
   */
  static Optional<Envelope> envelope(Message message) {
    if (message.headers().get(MORE) == null) {
      return Optional.empty();
    }
    Envelope envelope = JsonMapper.shared().readValue(message.payload(), Envelope.class);
    if (!isWhole(envelope)) {
      throw new IllegalArgumentException("an envelope without payload, steps or their parts");
    }
    return Optional.of(envelope);
  }

  /** JSON may have null where the records have none. */
  private static boolean isWhole(@Nullable Envelope envelope) {
    return envelope != null
        && (Object) envelope.payload() != null
        && (Object) envelope.next() != null
        && !envelope.next().isEmpty()
        && envelope.next().stream()
            .allMatch(
                (@Nullable Step step) ->
                    step != null
                        && (Object) step.action() != null
                        && (Object) step.payload() != null);
  }

  /** The message with what its step is called with and no more. */
  static Message alone(Message message, Envelope envelope) {
    return Message.of(message.destination(), envelope.payload().getBytes(UTF_8))
        .headers(message.headers());
  }

  /** The step that follows, under a key of its own, so that it is stored once. */
  HalfMessage next(Message message, Envelope envelope) {
    Map<String, String> headers = new LinkedHashMap<>(message.headers().asMap());
    headers.remove(MORE);
    String gid = String.valueOf(headers.get(DtmStep.GID));
    String branch = branch(Integer.parseInt(headers.getOrDefault(DtmStep.BRANCH, "0")) + 1);
    headers.put(DtmStep.BRANCH, branch);
    return HalfMessage.of(
        key(gid + DtmReading.DIVIDER + branch), message(Headers.of(headers), envelope.next()));
  }
}
