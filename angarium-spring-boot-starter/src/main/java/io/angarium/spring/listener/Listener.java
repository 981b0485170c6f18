package io.angarium.spring.listener;

import io.angarium.inbox.Inbox;
import io.angarium.inbox.InboxKey;
import io.angarium.spring.listener.internal.form.HeaderForm;
import io.angarium.spring.listener.internal.form.MessageForm;
import io.angarium.spring.listener.internal.form.Packing;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A method with {@link IdempotentConsumer}, as it was found to be. Immutable.
 *
 * @param name class and method
 * @param owner the class that declares it
 * @param shared whether other owners may have the same consumer
 * @param position of the argument with the messages; -1 if none is known
 * @param reporting tells of ids that {@code keys} are not made of
 * @param unidentifiedOnes says what becomes of messages without a key
 */
record Listener(
    String name,
    String owner,
    String consumer,
    boolean shared,
    Supplier<Inbox<?>> inbox,
    KeySource keys,
    MessageForm form,
    Packing packing,
    int position,
    Reporting reporting,
    ListenerOutcome outcome,
    UnidentifiedMessages unidentifiedOnes) {
  /**
   * The messages by their keys, in their order; of those with one key the first.
   *
   * @throws UnidentifiedMessageException if one has none; or one of the library of the listener, so
   *     that its container rejects the message
   */
  Map<InboxKey, Object> messages(Object[] arguments) {
    Map<InboxKey, Object> messages = new LinkedHashMap<>();
    for (Object message : given(arguments)) {
      messages.putIfAbsent(keyOrFailure(message, arguments), message);
    }
    return messages;
  }

  private InboxKey keyOrFailure(Object message, Object[] arguments) {
    try {
      return keyOf(message, arguments);
    } catch (UnidentifiedMessageException e) {
      boolean whole = position >= 0 && !(form instanceof HeaderForm);
      throw unidentifiedOnes.failure(e, whole ? message : null, !packing.many());
    }
  }

  /** False if senders cannot be told what was processed. */
  boolean isReported() {
    return reporting.isPossible();
  }

  /** Called when the inbox has returned. */
  void report(Object[] arguments) {
    reporting.processed(given(arguments), arguments);
  }

  private List<?> given(Object[] arguments) {
    if (position < 0) {
      return List.of((Object) arguments);
    }
    // a header that is not required
    return packing.messages(Objects.requireNonNullElse(arguments[position], ""));
  }

  private InboxKey keyOf(Object message, Object[] arguments) {
    try {
      return keys.keyOf(position < 0 ? null : message, arguments)
          .orElseThrow(() -> unidentified(message, "there is none", null));
    } catch (UnidentifiedMessageException e) {
      throw e;
    } catch (RuntimeException e) {
      throw unidentified(message, String.valueOf(e.getMessage()), e);
    }
  }

  private UnidentifiedMessageException unidentified(
      Object message, String reason, @Nullable Throwable cause) {
    String where = position < 0 ? "a message" : form.where(message);
    return new UnidentifiedMessageException(
        name
            + " (consumer "
            + consumer
            + ") was not called for "
            + where
            + ": "
            + reason
            + " (expected: "
            + keys.expected()
            + "). Let its sender set it, or name what identifies it by key or extractor of"
            + " @IdempotentConsumer",
        cause);
  }

  /** The arguments for a call with these messages only. */
  Object[] arguments(Object[] given, List<?> messages) {
    Object[] arguments = given.clone();
    if (packing.many()) {
      arguments[position] = packing.of(messages);
    }
    return arguments;
  }
}
