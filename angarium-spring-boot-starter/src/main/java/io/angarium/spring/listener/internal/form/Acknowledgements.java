package io.angarium.spring.listener.internal.form;

import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;

/**
 * What acknowledges messages, in every technology of listeners: the one list. Those whose methods
 * are known are kept back until the commit; all others are not let through to a listener. Needs
 * none of the libraries.
 */
public final class Acknowledgements {
  /**
   * A type that is kept back.
   *
   * @param later what it may be told once the transaction has committed
   * @param now what leaves the message as it is; null for all others
   */
  private record Kind(Set<String> later, @Nullable Set<String> now) {}

  private static final Map<String, Kind> HELD = held();

  private static Map<String, Kind> held() {
    Map<String, Kind> held = new LinkedHashMap<>();
    held.put(
        "org.springframework.kafka.support.Acknowledgment",
        new Kind(Set.of("acknowledge()"), Set.of("isOutOfOrderCommit()")));
    held.put(
        "org.springframework.kafka.support.ShareAcknowledgment",
        new Kind(Set.of("acknowledge()", "reject()"), Set.of("renew()")));
    held.put(
        "org.springframework.pulsar.listener.Acknowledgement",
        new Kind(Set.of("acknowledge()"), Set.of()));
    held.put(
        "io.awspring.cloud.sqs.listener.acknowledgement.Acknowledgement",
        new Kind(Set.of("acknowledge()"), Set.of()));
    for (String jms : List.of("jakarta.jms.Message", "javax.jms.Message")) {
      held.put(jms, new Kind(Set.of("acknowledge()"), null));
    }
    return held;
  }

  private static final String SESSION =
      "may commit or recover by itself, with a Session (expected: that the container acknowledges,"
          + " after the commit; acknowledge() of a Message of JMS is kept back until then)";

  /** They can end more than a message, or in ways that cannot be kept back. */
  private static final Map<String, String> REFUSED =
      Map.of(
          "jakarta.jms.Session",
          SESSION,
          "javax.jms.Session",
          SESSION,
          "com.rabbitmq.client.Channel",
          "acknowledges by itself, with a Channel (expected: that the container does, after the"
              + " commit)",
          "org.apache.kafka.clients.consumer.Consumer",
          "may commit offsets by itself, with a Consumer (expected: that the container does, after"
              + " the commit; an Acknowledgment is kept back until then)",
          "org.apache.kafka.clients.consumer.ShareConsumer",
          "may acknowledge by itself, with a ShareConsumer (expected: that the container does, after"
              + " the commit; a ShareAcknowledgment is kept back until then)");

  /** What the methods of an acknowledgement are called, in libraries that are not known here. */
  private static final Set<String> TELLING =
      Set.of(
          "ack",
          "nack",
          "acknowledge",
          "acknowledgeAsync",
          "acknowledgeCumulative",
          "negativeAcknowledge",
          "onAcknowledge",
          "basicAck",
          "commitSync",
          "commitAsync",
          "commitOffsets",
          "checkpoint",
          "updateCheckpoint");

  private static final String PAYLOAD = "org.springframework.messaging.handler.annotation.Payload";

  /** Asked for each header of each message. */
  private static final ClassValue<Optional<String>> HELD_TYPES =
      new ClassValue<>() {
        @Override
        protected Optional<String> computeValue(Class<?> type) {
          return HELD.keySet().stream().filter(name -> isA(type, name)).findFirst();
        }
      };

  private static final ClassValue<Boolean> REFUSING =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          return known(type).isPresent() || unknown(type).isPresent();
        }
      };

  private Acknowledgements() {}

  /** What is wrong with the arguments of a method of a bean's class; empty if nothing is. */
  public static List<String> faults(Method method, Class<?> type) {
    List<String> faults = new ArrayList<>();
    Parameter[] parameters = method.getParameters();
    for (int i = 0; i < parameters.length; i++) {
      if (!AnnotatedElementUtils.isAnnotated(parameters[i], PAYLOAD)) {
        fault(ResolvableType.forMethodParameter(method, i, type), false).ifPresent(faults::add);
      }
    }
    return faults;
  }

  private static Optional<String> fault(ResolvableType argument, boolean inside) {
    Class<?> given = argument.resolve(Object.class);
    if (heldType(given).isPresent()) {
      return inside || !given.isInterface()
          ? Optional.of(
              "is given "
                  + (inside ? "several " : "the class ")
                  + given.getSimpleName()
                  + " (expected: one of its interface, which is kept back until the commit)")
          : Optional.empty();
    }
    Optional<String> own = known(given).map(REFUSED::get).or(() -> unknown(given));
    return own.isPresent()
        ? own
        : Stream.concat(Stream.of(argument.getGenerics()), Stream.of(argument.getComponentType()))
            .filter(part -> !isWhole(given))
            .map(part -> fault(part, true))
            .flatMap(Optional::stream)
            .findFirst();
  }

  /** Returns whether a type is one message; then its type arguments belong to the payload. */
  private static boolean isWhole(Class<?> given) {
    return !given.isArray() && !Iterable.class.isAssignableFrom(given);
  }

  private static Optional<String> known(Class<?> type) {
    return REFUSED.keySet().stream().filter(name -> isA(type, name)).findFirst();
  }

  private static Optional<String> unknown(Class<?> type) {
    return Stream.of(type.getMethods())
        .map(Method::getName)
        .filter(TELLING::contains)
        .findFirst()
        .map(
            name ->
                "is given a "
                    + type.getName()
                    + ", which may acknowledge before the commit: "
                    + name
                    + " (expected: that the container acknowledges, or an Acknowledgment or"
                    + " ShareAcknowledgment of Spring for Apache Kafka, an Acknowledgement of Spring"
                    + " for Apache Pulsar or Spring Cloud AWS, which are kept back until the commit;"
                    + " or @Payload at the argument, if it is the content of a message)");
  }

  /** By name, also of what it extends. */
  private static boolean isA(@Nullable Class<?> type, String name) {
    return type != null
        && (type.getName().equals(name)
            || isA(type.getSuperclass(), name)
            || Stream.of(type.getInterfaces()).anyMatch(each -> isA(each, name)));
  }

  /** The type of those that are kept back; empty if it is none. */
  static Optional<String> heldType(Class<?> type) {
    return HELD_TYPES.get(type);
  }

  /** Whether it is known to acknowledge in a way that is not kept back. */
  static boolean isKnownAsRefused(Object value) {
    return known(value.getClass()).isPresent();
  }

  /** Whether it acknowledges in a way that is not kept back, as far as can be seen. */
  static boolean isRefused(Object value) {
    return REFUSING.get(value.getClass());
  }

  /** Whether a method of such a type is kept back. */
  static boolean isForLater(String type, Method method) {
    return kind(type).later().contains(signature(method));
  }

  /** Whether a method of such a type may be called at once. */
  static boolean isForNow(String type, Method method) {
    Set<String> now = kind(type).now();
    return now == null || now.contains(signature(method));
  }

  private static Kind kind(String type) {
    Kind kind = HELD.get(type);
    if (kind == null) {
      throw new IllegalArgumentException("No acknowledgement: " + type);
    }
    return kind;
  }

  private static String signature(Method method) {
    return method.getName() + (method.getParameterCount() == 0 ? "()" : "(…)");
  }
}
