package io.angarium.spring.listener;

import io.angarium.handler.Delivery;
import io.angarium.inbox.InboxKey;
import io.angarium.spring.listener.internal.container.RabbitAnnotation;
import io.angarium.spring.listener.internal.form.MessageArguments.Found;
import io.angarium.spring.listener.internal.form.MessageForm;
import io.angarium.spring.listener.internal.form.SpringForm;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.util.function.SingletonSupplier;

/** Reads by what the messages of a method are known, and says what is wrong. */
final class KeyReader {
  private static final String KAFKA = "org.springframework.kafka.annotation.KafkaListener";

  private final ListableBeanFactory beans;
  private final Method method;
  private final IdempotentConsumer declared;
  private final Found found;
  private final String consumer;
  private final List<String> faults;

  /**
   * Creates one.
   *
   * @param faults what is wrong is added to it
   */
  KeyReader(
      ListableBeanFactory beans,
      Method method,
      IdempotentConsumer declared,
      Found found,
      String consumer,
      List<String> faults) {
    this.beans = beans;
    this.method = method;
    this.declared = declared;
    this.found = found;
    this.consumer = consumer;
    this.faults = faults;
  }

  /** Reads where the keys come from. The result is of no use if there are faults. */
  KeySource read() {
    boolean extracted = declared.extractor() != KeyExtractor.class;
    boolean evaluated = !declared.key().isBlank();
    if ((extracted && evaluated) || (declared.businessKey() && (extracted || evaluated))) {
      faults.add("several of businessKey, key and extractor (expected: one of them)");
    }
    if (!declared.type().isBlank() && !extracted && !evaluated) {
      faults.add("type: '" + declared.type() + "' (expected: none without key or extractor)");
    }
    requireOneMessage(evaluated);
    if (evaluated) {
      return expression();
    }
    requireMessage(extracted || declared.businessKey());
    if (extracted) {
      return extractor();
    }
    if (declared.businessKey()) {
      return new KeySource.ByBusinessKey(consumer, found.form());
    }
    return id();
  }

  private KeySource id() {
    if (found.form().type() == Delivery.class) {
      faults.add(
          "processes each message once anyway, as a handler (expected: businessKey, key or"
              + " extractor, or no annotation)");
    }
    return new KeySource.ById(consumer, found.form());
  }

  private void requireMessage(boolean whole) {
    if (whole ? found.isMessage() : found.position() >= 0) {
      return;
    }
    faults.add(
        "no argument tells messages apart (expected: ConsumerRecord, MessageExt, Message of Spring"
            + " or Spring AMQP, a List of one of them, ConsumerRecords"
            + (whole ? "" : ", or " + idHeader())
            + "; or a key)");
  }

  /** A header with the id, as the library of the listener calls it. */
  private String idHeader() {
    String angarium = "a @Header(\"" + MessageForm.ID + "\")";
    String amqp = "a @Header(\"" + SpringForm.AMQP_ID + "\")";
    if (RabbitAnnotation.of(method, method.getDeclaringClass()).present()) {
      return amqp;
    }
    return MergedAnnotations.from(method).isPresent(KAFKA)
        ? angarium
        : angarium + ", on RabbitMQ " + amqp;
  }

  /**
   * Requires a single content if an argument is no whole message. If there were several at once,
   * none could be left out, and the next delivery may group them differently.
   */
  private void requireOneMessage(boolean evaluated) {
    Class<?>[] arguments = method.getParameterTypes();
    for (int i = 0; i < arguments.length; i++) {
      boolean counts =
          found.position() < 0 ? evaluated : !found.isMessage() && i == found.position();
      if (counts && isSeveral(arguments[i])) {
        faults.add(
            arguments[i].getSimpleName()
                + " of what is no message (expected: one, or whole messages: ConsumerRecord,"
                + " MessageExt, Message of Spring or Spring AMQP, a List of one of them, or"
                + " ConsumerRecords)");
      }
    }
  }

  private static boolean isSeveral(Class<?> argument) {
    return Collection.class.isAssignableFrom(argument)
        || (argument.isArray() && argument != byte[].class);
  }

  private Function<String, InboxKey> keys() {
    String type = declared.type();
    return type.isBlank()
        ? text -> InboxKey.of(consumer, text)
        : text -> InboxKey.ofBusiness(consumer, type, text);
  }

  private KeySource expression() {
    try {
      return new KeySource.ByExpression(
          keys(), new SpelExpressionParser().parseExpression(declared.key()), method, beans);
    } catch (ParseException e) {
      faults.add("key: '" + declared.key() + "' (expected: an expression; " + e.getMessage() + ")");
      return id();
    }
  }

  private KeySource extractor() {
    Class<?> type = declared.extractor();
    Class<?> taken = ResolvableType.forClass(type).as(KeyExtractor.class).getGeneric(0).toClass();
    if (!taken.isAssignableFrom(found.form().type())) {
      faults.add(
          "extractor: "
              + type.getSimpleName()
              + " of "
              + taken.getSimpleName()
              + " (expected: of "
              + found.form().type().getSimpleName()
              + ", as the method is given)");
    }
    if (beans.getBeanNamesForType(type).length != 1) {
      faults.add("extractor: " + type.getSimpleName() + " (expected: one bean of this class)");
    }
    return new KeySource.ByExtractor(keys(), SingletonSupplier.of(() -> bean(type)));
  }

  @SuppressWarnings("unchecked") // what it takes was compared
  private KeyExtractor<Object> bean(Class<?> type) {
    return (KeyExtractor<Object>) beans.getBean(type);
  }
}
