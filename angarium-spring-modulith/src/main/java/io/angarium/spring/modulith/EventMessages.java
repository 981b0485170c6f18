package io.angarium.spring.modulith;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.angarium.Destination;
import io.angarium.Headers;
import io.angarium.InvalidMessageException;
import io.angarium.Message;
import io.angarium.PayloadCodec;
import io.angarium.TypeNames;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.ExpressionException;
import org.springframework.expression.spel.support.StandardEvaluationContext;
import org.springframework.modulith.events.EventExternalizationConfiguration;
import org.springframework.modulith.events.RoutingTarget;
import org.springframework.modulith.events.support.BrokerRouting;
import org.springframework.util.ClassUtils;

/**
 * Makes messages of events as the {@link EventExternalizationConfiguration} says: target, key and
 * headers of the mapped event. Thread-safe.
 */
final class EventMessages {
  private static final boolean MESSAGING =
      ClassUtils.isPresent(
          "org.springframework.messaging.Message", EventMessages.class.getClassLoader());

  private final EventExternalizationConfiguration configuration;
  private final Supplier<PayloadCodec> codec;
  private final Supplier<@Nullable TypeNames> types;
  private final EvaluationContext expressions;

  EventMessages(
      EventExternalizationConfiguration configuration,
      Supplier<PayloadCodec> codec,
      Supplier<@Nullable TypeNames> types,
      BeanFactory beans) {
    StandardEvaluationContext context = new StandardEvaluationContext();
    context.setBeanResolver(new BeanFactoryResolver(beans));
    this.configuration = configuration;
    this.codec = codec;
    this.types = types;
    this.expressions = context;
  }

  /**
   * The message of an event. A mapping that gives a {@link Message} has decided everything.
   *
   * @throws InvalidMessageException if the target or a header cannot be used
   * @throws io.angarium.PayloadException if the mapped event cannot be written, or the {@link
   *     TypeNames} refuse its class
   */
  Message of(Object event) {
    Object mapped = configuration.map(event);
    if (mapped instanceof Message finished) {
      return finished;
    }
    if (MESSAGING && mapped instanceof org.springframework.messaging.Message) {
      throw new InvalidMessageException(
          "mapping of event "
              + event.getClass().getName()
              + ": a Message of Spring (expected: the payload alone); give headers by"
              + " EventExternalizationConfiguration.headers(…), target and key by route(…)");
    }
    Message routed = routed(event, mapped);
    return routed.headers(headers(event, mapped, routed.headers()));
  }

  private Message routed(Object event, Object mapped) {
    RoutingTarget target = configuration.determineTarget(event);
    try {
      BrokerRouting routing = BrokerRouting.of(target, expressions);
      Message message = written(routing.getTarget(mapped), mapped);
      return (message.type() == null ? message.type(type(mapped)) : message)
          .key(key(target, routing, mapped));
    } catch (ExpressionException e) {
      throw new InvalidMessageException(
          "target of event "
              + event.getClass().getName()
              + ": "
              + target
              + " (expected: expressions that hold for "
              + mapped.getClass().getName()
              + "): "
              + e.getMessage());
    }
  }

  /** With an expression for the target alone, the routing gives that expression as key. */
  private static @Nullable String key(RoutingTarget target, BrokerRouting routing, Object mapped) {
    String key = target.getKey() == null ? null : routing.getKey(mapped);
    return key == null || key.isEmpty() ? null : key;
  }

  private Message written(String destination, Object mapped) {
    if (mapped instanceof byte[] bytes) {
      return Message.of(destination, bytes);
    }
    return mapped instanceof String text
        ? Message.of(destination, text)
        : codec.get().encode(Destination.parse(destination), mapped);
  }

  /** The name of an application's class; a map, a tree of JSON or a text has none. */
  private @Nullable String type(Object mapped) {
    TypeNames names = types.get();
    return names == null ? null : names.findName(mapped.getClass()).orElse(null);
  }

  /** Returns the headers of the codec and of the configuration; the configuration wins. */
  private Headers headers(Object event, Object mapped, Headers written) {
    Map<String, String> headers = new LinkedHashMap<>(written.asMap());
    configuration
        .getHeadersFor(mapped)
        .forEach((name, value) -> headers.put(name, text(event, name, value)));
    return Headers.of(headers);
  }

  private static String text(Object event, String name, @Nullable Object value) {
    if (value == null) {
      throw new InvalidMessageException(
          "header "
              + name
              + " of event "
              + event.getClass().getName()
              + ": null (expected: a value)");
    }
    return value instanceof byte[] bytes ? new String(bytes, UTF_8) : value.toString();
  }
}
