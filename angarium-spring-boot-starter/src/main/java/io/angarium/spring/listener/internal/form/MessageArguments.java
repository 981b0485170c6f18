package io.angarium.spring.listener.internal.form;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationAttributes;
import org.springframework.util.ClassUtils;

/** Finds the argument with the messages, for the client libraries that are there. Thread-safe. */
public final class MessageArguments {
  private static final String POLLED = "org.apache.kafka.clients.consumer.ConsumerRecords";
  private static final String HEADER = "org.springframework.messaging.handler.annotation.Header";
  private static final Set<String> ID_HEADERS = Set.of(MessageForm.ID, "amqp_messageId");

  private final List<MessageForm> forms = new ArrayList<>();

  public MessageArguments(ClassLoader loader) {
    forms.add(new DeliveryForm());
    add(loader, "org.apache.kafka.clients.consumer.ConsumerRecord", KafkaForm::new);
    add(loader, "org.springframework.amqp.core.Message", AmqpForm::new);
    add(loader, "org.apache.rocketmq.common.message.MessageExt", RocketForm::new);
    add(loader, "org.springframework.messaging.Message", SpringForm::new);
  }

  private void add(ClassLoader loader, String type, Supplier<MessageForm> form) {
    if (ClassUtils.isPresent(type, loader)) {
      forms.add(form.get());
    }
  }

  /** An argument with one message or several. */
  public record Found(int position, MessageForm form, Packing packing) {
    /** Where a method is given no message: it is known by its other arguments. */
    static final Found NONE = new Found(-1, new HeaderForm(), new Packing.One());

    public boolean isMessage() {
      return position >= 0 && !(form instanceof HeaderForm);
    }
  }

  /** The first of them, or else a header with the id; {@link Found#NONE} if there is none. */
  public Found in(Method method, Class<?> type) {
    for (int i = 0; i < method.getParameterCount(); i++) {
      Found found = at(i, ResolvableType.forMethodParameter(method, i, type));
      if (found != null) {
        return found;
      }
    }
    return header(method);
  }

  private @Nullable Found at(int position, ResolvableType argument) {
    Class<?> given = argument.resolve(Object.class);
    if (given.getName().equals(POLLED)) {
      return new Found(position, new KafkaForm(), new Packing.Polled());
    }
    boolean list = given == List.class;
    Class<?> message = list ? argument.getGeneric(0).resolve(Object.class) : given;
    for (MessageForm form : forms) {
      if (form.type().isAssignableFrom(message)) {
        return new Found(position, form, list ? new Packing.InList() : new Packing.One());
      }
    }
    return null;
  }

  private static Found header(Method method) {
    Annotation[][] annotations = method.getParameterAnnotations();
    for (int i = 0; i < annotations.length; i++) {
      AnnotationAttributes header =
          AnnotatedElementUtils.getMergedAnnotationAttributes(method.getParameters()[i], HEADER);
      if (header != null && ID_HEADERS.contains(header.getString("name"))) {
        return new Found(i, new HeaderForm(), new Packing.One());
      }
    }
    return Found.NONE;
  }
}
