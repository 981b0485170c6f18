package io.angarium.spring.listener.internal.form;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageHeaders;
import org.springframework.messaging.support.GenericMessage;
import org.springframework.util.ClassUtils;

/**
 * The arguments of one call, in which whatever acknowledges is kept back until the commit, also in
 * the headers of a message. What cannot be kept back is taken out of headers, and refused as an
 * argument. Not thread-safe.
 */
public final class HeldArguments {
  private static final boolean MESSAGES =
      ClassUtils.isPresent(
          "org.springframework.messaging.Message", HeldArguments.class.getClassLoader());

  private final IdentityHashMap<Object, HeldAcknowledgment> held = new IdentityHashMap<>();
  private final @Nullable Object[] arguments;

  /**
   * Looks at what a container has given.
   *
   * @throws IllegalStateException if it is something that acknowledges and cannot be kept back
   */
  public HeldArguments(String listener, @Nullable Object[] given) {
    this.arguments = given.clone();
    for (int i = 0; i < arguments.length; i++) {
      Object argument = arguments[i];
      if (argument != null) {
        arguments[i] = argument(listener, argument);
      }
    }
  }

  /** Returns the arguments in the form in which the listener may receive them. */
  @Nullable
  public Object[] arguments() {
    return arguments;
  }

  private Object argument(String listener, Object given) {
    if (given instanceof List<?> several && MESSAGES) {
      return inList(several);
    }
    Object inside = inside(given);
    if (inside != given || isHeadersOrMessage(given)) {
      return inside;
    }
    HeldAcknowledgment kept = keep(given);
    if (kept == null && Acknowledgements.isKnownAsRefused(given)) {
      throw new IllegalStateException(
          listener
              + " was not called: it would be given a "
              + given.getClass().getName()
              + ", which may acknowledge before the commit (expected: that the container does)");
    }
    return kept == null ? given : kept.argument();
  }

  private static boolean isHeadersOrMessage(Object given) {
    return MESSAGES && OnMessages.isOne(given);
  }

  private List<?> inList(List<?> several) {
    List<Object> others = new ArrayList<>(several.size());
    boolean changed = false;
    for (Object each : several) {
      Object other = each == null ? null : inside(each);
      changed |= other != each;
      others.add(other);
    }
    return changed ? others : several;
  }

  private Object inside(Object given) {
    return MESSAGES ? OnMessages.without(given, this::header) : given;
  }

  /** Null for what is taken out. */
  private @Nullable Object header(Object value) {
    HeldAcknowledgment kept = keep(value);
    if (kept != null) {
      return kept.argument();
    }
    return Acknowledgements.isRefused(value) ? null : value;
  }

  private @Nullable HeldAcknowledgment keep(Object value) {
    HeldAcknowledgment known = held.get(value);
    if (known != null) {
      return known;
    }
    return Acknowledgements.heldType(value.getClass())
        .map(
            type -> {
              HeldAcknowledgment kept = new HeldAcknowledgment(value, type);
              held.put(value, kept);
              return kept;
            })
        .orElse(null);
  }

  /**
   * The inbox has returned: what the listener acknowledged is.
   *
   * @param called false if nothing was new
   */
  public void release(boolean called) throws Exception {
    for (HeldAcknowledgment each : List.copyOf(held.values())) {
      if (called) {
        each.release();
      } else {
        each.repeated();
      }
    }
  }

  /** Loaded only where there are messages of Spring. */
  private static final class OnMessages {
    static boolean isOne(Object given) {
      return given instanceof Message<?> || given instanceof MessageHeaders;
    }

    /** The same, without headers that acknowledge. */
    static Object without(Object given, UnaryOperator<@Nullable Object> header) {
      if (given instanceof Message<?> message) {
        MessageHeaders before = message.getHeaders();
        MessageHeaders after = headers(before, header);
        return after instanceof SameHeaders
            ? new GenericMessage<>(message.getPayload(), after)
            : message;
      }
      if (given instanceof MessageHeaders headers) {
        return headers(headers, header);
      }
      return given instanceof Map<?, ?> map ? map(map, header) : given;
    }

    private static MessageHeaders headers(
        MessageHeaders before, UnaryOperator<@Nullable Object> header) {
      Map<String, Object> after = new HashMap<>(before);
      return replace(after, header) ? new SameHeaders(after, before) : before;
    }

    /** Given for {@code @Headers}. */
    private static Map<?, ?> map(Map<?, ?> before, UnaryOperator<@Nullable Object> header) {
      Map<Object, Object> after = new HashMap<>(before);
      return replace(after, header) ? after : before;
    }

    private static <K> boolean replace(
        Map<K, Object> headers, UnaryOperator<@Nullable Object> header) {
      boolean changed = false;
      for (Map.Entry<K, Object> each : Map.copyOf(present(headers)).entrySet()) {
        Object other = header.apply(each.getValue());
        if (other == null) {
          headers.remove(each.getKey());
        } else {
          headers.put(each.getKey(), other);
        }
        changed |= other != each.getValue();
      }
      return changed;
    }

    private static <K> Map<K, Object> present(Map<K, Object> headers) {
      Map<K, Object> present = new HashMap<>(headers);
      present.values().removeIf(value -> value == null);
      return present;
    }
  }

  /** With the id and the time of those that they stand for. */
  private static final class SameHeaders extends MessageHeaders {
    private static final long serialVersionUID = 1L;

    SameHeaders(Map<String, Object> headers, MessageHeaders before) {
      super(headers, before.getId(), before.getTimestamp());
    }
  }
}
