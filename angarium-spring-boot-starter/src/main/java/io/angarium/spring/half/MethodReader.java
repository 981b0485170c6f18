package io.angarium.spring.half;

import io.angarium.Destination;
import io.angarium.InvalidMessageException;
import io.angarium.TypedPayloads;
import io.angarium.half.HalfKey;
import io.angarium.half.local.TransactionalMessages;
import io.angarium.spring.DeclaredTransaction;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.util.function.SingletonSupplier;

/** Reads what a method declares, and gathers what is wrong with it. */
final class MethodReader {
  private static final String ANY_KEY = "1";

  private final ConfigurableListableBeanFactory beans;
  private final Method method;
  private final Class<?> type;
  private final String name;
  private final TransactionalMessage declared;
  private final @Nullable DeclaredTransaction transaction;
  private final List<String> faults = new ArrayList<>();

  MethodReader(
      ConfigurableListableBeanFactory beans,
      Method method,
      Class<?> type,
      TransactionalMessage declared) {
    this.beans = beans;
    this.method = method;
    this.type = type;
    this.name = type.getSimpleName() + "." + method.getName();
    this.declared = declared;
    this.transaction = transaction();
    faults.addAll(
        MethodFaults.of(method, type, transaction == null ? null : transaction.declared()));
  }

  /**
   * Reads it.
   *
   * @param all what is wrong is added to it
   * @return empty if it has faults
   */
  Optional<MessageMethod> read(List<String> all) {
    String business = business();
    String destination = destination();
    ArgumentExpression key = expression("key", declared.key());
    ArgumentExpression payload = expression("payload", declared.payload());
    ArgumentExpression messageKey =
        declared.messageKey().isBlank() ? null : expression("messageKey", declared.messageKey());
    faults.forEach(fault -> all.add(fault(name, fault)));
    if (!faults.isEmpty() || key == null || payload == null) {
      return Optional.empty();
    }
    return Optional.of(
        new MessageMethod(
            name,
            business,
            destination,
            key,
            payload,
            isObject(payload),
            messageKey,
            SingletonSupplier.of(() -> beans.getBean(TransactionalMessages.class)),
            this::typed));
  }

  /** Empty if it has no {@code @Transactional}. */
  Optional<JoiningMethod> joining() {
    return Optional.ofNullable(transaction).map(found -> new JoiningMethod(name, found));
  }

  static String fault(String name, String fault) {
    return "@TransactionalMessage at " + name + ": " + fault;
  }

  private @Nullable DeclaredTransaction transaction() {
    try {
      return DeclaredTransaction.of(beans, method, type).orElse(null);
    } catch (IllegalArgumentException e) {
      faults.add("@Transactional: " + e.getMessage() + " (expected: what can be resolved)");
      return null;
    }
  }

  private @Nullable TypedPayloads typed() {
    return beans.getBeanProvider(TypedPayloads.class).getIfAvailable();
  }

  private String business() {
    String business = resolved("business", declared.business());
    try {
      return new HalfKey(business, ANY_KEY).business();
    } catch (IllegalArgumentException e) {
      faults.add(String.valueOf(e.getMessage()));
      return business;
    }
  }

  private String destination() {
    String destination = resolved("destination", declared.destination());
    try {
      return Destination.parse(destination).toString();
    } catch (InvalidMessageException e) {
      faults.add(String.valueOf(e.getMessage()));
      return destination;
    }
  }

  private String resolved(String attribute, String given) {
    String resolved = null;
    try {
      resolved = beans.resolveEmbeddedValue(given);
    } catch (IllegalArgumentException e) {
      // told below
    }
    if (resolved == null || resolved.contains("${")) {
      faults.add(attribute + ": '" + given + "' (expected: placeholders of properties that exist)");
      return given.replaceAll("\\$\\{[^}]*}", ANY_KEY);
    }
    return resolved;
  }

  private @Nullable ArgumentExpression expression(String attribute, String given) {
    try {
      SpelExpression expression = new SpelExpressionParser().parseRaw(given);
      SpelNode node = expression.getAST();
      ExpressionFaults.of(node, method).forEach(fault -> faults.add(attribute + ": " + fault));
      checkType(attribute, node);
      return new ArgumentExpression(attribute, expression, name, method, beans);
    } catch (ParseException | IllegalArgumentException e) {
      faults.add(attribute + ": '" + given + "' (expected: an expression; " + e.getMessage() + ")");
      return null;
    }
  }

  private void checkType(String attribute, SpelNode node) {
    Class<?> type = ExpressionFaults.typeOf(node, method);
    if (type != null && !attribute.equals("payload") && !mayBeText(type)) {
      faults.add(
          attribute
              + ": "
              + node.toStringAST()
              + " is a "
              + type.getSimpleName()
              + " (expected: text, a number, a UUID or an enum)");
    }
  }

  private boolean isObject(ArgumentExpression payload) {
    SpelNode node = ((SpelExpression) payload.expression()).getAST();
    Class<?> type = ExpressionFaults.typeOf(node, method);
    return type != null && type != byte[].class && !type.isInterface() && !isText(type);
  }

  private static boolean isText(Class<?> type) {
    return type == Object.class || CharSequence.class.isAssignableFrom(type);
  }

  /** A wider type may have a value that is. */
  private static boolean mayBeText(Class<?> type) {
    return type.isPrimitive()
        || type.isInterface()
        || type.isEnum()
        || type == Object.class
        || ArgumentExpression.isText(type);
  }
}
