package io.angarium.spring.listener;

import io.angarium.MessageId;
import io.angarium.inbox.InboxKey;
import io.angarium.spring.listener.internal.form.MessageForm;
import java.lang.reflect.Method;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.Expression;

/** By what the messages of a listener are known. */
sealed interface KeySource {
  /**
   * The key of a message.
   *
   * @param message null if the method is given none that is known here
   */
  Optional<InboxKey> keyOf(@Nullable Object message, Object[] arguments);

  /** What a message must have, for a person. */
  String expected();

  /** The id that its sender gave it. */
  record ById(String consumer, MessageForm form) implements KeySource {
    @Override
    public Optional<InboxKey> keyOf(@Nullable Object message, Object[] arguments) {
      return present(message == null ? null : form.id(message)).map(this::key);
    }

    private InboxKey key(String id) {
      return isUuid(id) ? InboxKey.of(consumer, MessageId.parse(id)) : InboxKey.of(consumer, id);
    }

    private static boolean isUuid(String id) {
      try {
        return UUID.fromString(id).toString().equals(id.toLowerCase(Locale.ROOT));
      } catch (IllegalArgumentException e) {
        return false;
      }
    }

    @Override
    public String expected() {
      return form.idPlace();
    }
  }

  /** The business type and key that its sender gave it. */
  record ByBusinessKey(String consumer, MessageForm form) implements KeySource {
    @Override
    public Optional<InboxKey> keyOf(@Nullable Object message, Object[] arguments) {
      if (message == null) {
        return Optional.empty();
      }
      Optional<String> key = present(form.header(message, MessageForm.BUSINESS_KEY));
      return present(form.header(message, MessageForm.BUSINESS_TYPE))
          .flatMap(type -> key.map(given -> InboxKey.ofBusiness(consumer, type, given)));
    }

    @Override
    public String expected() {
      return "the headers " + MessageForm.BUSINESS_TYPE + " and " + MessageForm.BUSINESS_KEY;
    }
  }

  /** What an expression gives. */
  record ByExpression(
      Function<String, InboxKey> key, Expression expression, Method method, BeanFactory beans)
      implements KeySource {
    private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

    @Override
    public Optional<InboxKey> keyOf(@Nullable Object message, Object[] arguments) {
      MethodBasedEvaluationContext context =
          new MethodBasedEvaluationContext(
              message == null ? arguments : message, method, arguments, NAMES);
      context.setBeanResolver(new BeanFactoryResolver(beans));
      return present(KeyText.of(expression.getValue(context))).map(key);
    }

    @Override
    public String expected() {
      return "a value of the expression " + expression.getExpressionString();
    }
  }

  /** What a bean of the application tells. */
  record ByExtractor(Function<String, InboxKey> key, Supplier<KeyExtractor<Object>> extractor)
      implements KeySource {
    @Override
    public Optional<InboxKey> keyOf(@Nullable Object message, Object[] arguments) {
      return message == null
          ? Optional.empty()
          : extractor.get().keyOf(message).filter(text -> !text.isBlank()).map(key);
    }

    @Override
    public String expected() {
      return "a key from " + extractor.get().getClass().getName();
    }
  }

  private static Optional<String> present(@Nullable String text) {
    return Optional.ofNullable(text).filter(given -> !given.isBlank());
  }
}
