package io.angarium.spring.half;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.angarium.ConfigurationException;
import io.angarium.TimeSource;
import io.angarium.half.local.TransactionalMessages;
import io.angarium.spring.listener.IdempotentConsumer;
import io.angarium.testkit.memory.InMemoryHalfMessages;
import io.angarium.testkit.memory.InMemoryLocalTransactions;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.GenericBeanDefinition;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Lazy;
import org.springframework.scheduling.annotation.Async;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.context.request.async.DeferredResult;

/** What is declared wrongly stops the start. */
class MessageMethodFaultsTest {
  private static AnnotationConfigApplicationContext context(Class<?>... beans) {
    AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
    context.registerBean(
        TransactionalMethods.class, () -> new TransactionalMethods(context.getBeanFactory()));
    for (Class<?> bean : beans) {
      context.registerBean(bean);
    }
    return context;
  }

  private static List<String> faults(Class<?>... beans) {
    try (AnnotationConfigApplicationContext context = context(beans)) {
      context.registerBean(
          TransactionalMessages.class,
          () ->
              new TransactionalMessages<>(
                  new InMemoryHalfMessages(TimeSource.SYSTEM), new InMemoryLocalTransactions()));
      return catchThrowableOfType(ConfigurationException.class, context::refresh).faults();
    }
  }

  record Order(long id) {}

  /** May have any property in a subclass. */
  static class Open {}

  static class Wrong {
    @TransactionalMessage(business = " ", key = "#id", destination = "orders:", payload = "#id")
    void blank(String id) {}

    @TransactionalMessage(
        business = "${none}",
        key = "#id",
        destination = "kafka:${none}",
        payload = "#id")
    void placeholders(String id) {}

    @TransactionalMessage(business = "b", key = "#id", destination = "kafka:o", payload = "#id")
    @SuppressWarnings({"UnusedMethod", "UnusedVariable"}) // as wrong as it is meant to be
    private void hidden(String id) {}

    @TransactionalMessage(business = "b", key = "#id", destination = "kafka:o", payload = "#id")
    final void last(String id) {}

    @TransactionalMessage(
        business = "b",
        key = "#number",
        destination = "kafka:o",
        payload = "1 +",
        messageKey = "id")
    void names(String id) {}

    @TransactionalMessage(
        business = "b",
        key = "#order.number",
        destination = "kafka:o",
        payload = "#order.number()",
        messageKey = "#order")
    void properties(Order order) {}

    @TransactionalMessage(
        business = "b",
        key = "#root",
        destination = "kafka:o",
        payload = "#encode(#order)")
    void nothing(Order order) {}

    @TransactionalMessage(business = "b", key = "#id", destination = "kafka:o", payload = "#result")
    CompletableFuture<Void> later(String id) {
      return CompletableFuture.completedFuture(null);
    }

    @Async
    @IdempotentConsumer(consumer = "c")
    @TransactionalMessage(business = "b", key = "#id", destination = "kafka:o", payload = "#id")
    void both(String id) {}

    @Transactional(
        propagation = Propagation.REQUIRES_NEW,
        isolation = Isolation.SERIALIZABLE,
        transactionManager = "other",
        noRollbackFor = IllegalStateException.class)
    @TransactionalMessage(business = "b", key = "#id", destination = "kafka:o", payload = "#id")
    void transactional(String id) {}
  }

  @Test
  void everyFaultIsListedWithItsMethodAndWhatWasExpected() {
    String at = "@TransactionalMessage at Wrong.";

    assertThat(faults(Wrong.class))
        .anySatisfy(starts(at + "blank: half message business: ' '"))
        .anySatisfy(starts(at + "blank: destination: 'orders:'"))
        .anySatisfy(starts(at + "placeholders: business: '${none}' (expected: placeholders"))
        .anySatisfy(starts(at + "placeholders: destination: 'kafka:${none}' (expected: pl"))
        .anySatisfy(starts(at + "hidden: private or static"))
        .anySatisfy(starts(at + "last: final"))
        .anySatisfy(starts(at + "names: key: #number (expected: an argument: #id)"))
        .anySatisfy(starts(at + "names: payload: '1 +' (expected: an expression; "))
        .anySatisfy(starts(at + "names: messageKey: id (expected: that it begins with an arg"))
        .anySatisfy(starts(at + "properties: key: #order.number (expected: what Order has: id)"))
        .anySatisfy(
            starts(at + "properties: payload: #order.number() (expected: what Order has: id)"))
        .anySatisfy(starts(at + "properties: messageKey: #order is a Order (expected: text, a"))
        .anySatisfy(starts(at + "nothing: key: #root (expected: an argument: #order)"))
        .anySatisfy(starts(at + "nothing: payload: #encode(#order) (expected: no functions"))
        .anySatisfy(starts(at + "later: payload: #result (expected: an argument: #id)"))
        .anySatisfy(starts(at + "later: returns CompletableFuture"))
        .anySatisfy(starts(at + "both: @Async"))
        .anySatisfy(starts(at + "both: @IdempotentConsumer"))
        .anySatisfy(starts(at + "transactional: @Transactional with its propagation"))
        .anySatisfy(starts(at + "transactional: @Transactional with isolation"))
        .anySatisfy(starts(at + "transactional: @Transactional with transaction manager 'other'"))
        .anySatisfy(starts(at + "transactional: @Transactional with noRollbackFor"))
        .hasSize(22);
  }

  static class Unfinished {
    @Transactional(propagation = Propagation.NESTED)
    @TransactionalMessage(business = "b", key = "#id", destination = "kafka:o", payload = "#id")
    void nested(String id) {}

    @TransactionalMessage(business = "b", key = "#id", destination = "kafka:o", payload = "#id")
    Flow.@Nullable Publisher<String> flow(String id) {
      return null;
    }

    @TransactionalMessage(business = "b", key = "#id", destination = "kafka:o", payload = "#id")
    Callable<String> callable(String id) {
      return () -> id;
    }

    @TransactionalMessage(business = "b", key = "#id", destination = "kafka:o", payload = "#id")
    DeferredResult<String> deferred(String id) {
      return new DeferredResult<>();
    }
  }

  @Test
  void workThatIsNotDoneWithTheTransactionIsAFault() {
    String at = "@TransactionalMessage at Unfinished.";

    assertThat(faults(Unfinished.class))
        .anySatisfy(starts(at + "nested: @Transactional with its propagation"))
        .anySatisfy(starts(at + "flow: returns Publisher (expected: nothing to wait for"))
        .anySatisfy(starts(at + "callable: returns Callable"))
        .anySatisfy(starts(at + "deferred: returns DeferredResult"))
        .hasSize(4);
  }

  static class OfALibrary {}

  static class Needing {
    OfALibrary need() {
      return new OfALibrary();
    }
  }

  /** Has {@link Needing}, but not what it needs. */
  static final class Lacking extends ClassLoader {
    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (name.equals(OfALibrary.class.getName())) {
        throw new ClassNotFoundException(name);
      }
      return name.equals(Needing.class.getName()) ? needing() : super.loadClass(name, resolve);
    }

    private Class<?> needing() throws ClassNotFoundException {
      String name = Needing.class.getName();
      try (InputStream file = getResourceAsStream(name.replace('.', '/') + ".class")) {
        byte[] bytes = Objects.requireNonNull(file).readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }

  @Test
  void beansThatCannotBeLookedAtAndAreNotMadeDoNotStopTheStart() throws Exception {
    GenericBeanDefinition needing = new GenericBeanDefinition();
    needing.setBeanClass(new Lacking().loadClass(Needing.class.getName()));
    needing.setLazyInit(true);
    try (AnnotationConfigApplicationContext context = context()) {
      context.registerBeanDefinition("needing", needing);

      context.refresh();

      assertThat(context.getBean(TransactionalMethods.class).businesses()).isEmpty();
    }
  }

  private static Consumer<String> starts(String text) {
    return fault -> assertThat(fault).startsWith(text);
  }

  @Lazy
  static class Late {
    @TransactionalMessage(business = "b", key = "#no", destination = "kafka:o", payload = "#id")
    void pay(String id) {}
  }

  @Test
  void beansThatAreMadeLaterAreLookedAtAsWell() {
    try (AnnotationConfigApplicationContext context = context()) {
      context.register(Late.class);

      assertThat(catchThrowableOfType(ConfigurationException.class, context::refresh).faults())
          .containsExactly(
              "@TransactionalMessage at Late.pay: key: #no (expected: an argument: #id)");
    }
  }

  static class Right {
    @TransactionalMessage(
        business = "b",
        key = "#open.number + #ids[0] + #orders.?[id > 1].![id][0]",
        destination = "kafka:o",
        payload = "@codec.encode(#open, #a1)",
        messageKey = "#p1.get(0).trim()")
    void pay(Open open, List<String> ids, List<Order> orders) {}
  }

  @Test
  void whatCanOnlyBeToldByAValueIsNoFault() {
    try (AnnotationConfigApplicationContext context = context(Right.class)) {
      context.registerBean(
          TransactionalMessages.class,
          () ->
              new TransactionalMessages<>(
                  new InMemoryHalfMessages(TimeSource.SYSTEM), new InMemoryLocalTransactions()));
      context.refresh();

      assertThat(context.getBean(TransactionalMethods.class).businesses()).containsExactly("b");
    }
  }

  static class Typed {
    @TransactionalMessage(business = "b", key = "#p0.id", destination = "kafka:o", payload = "#p0")
    void pay(Order order) {}
  }

  @Test
  void anObjectNeedsTypes() {
    assertThat(faults(Typed.class))
        .singleElement()
        .satisfies(
            starts("@TransactionalMessage at Typed.pay: payload: an object (expected: bytes"));
  }

  @Test
  void withoutHalfMessagesItSaysHowToSwitchThemOn() {
    try (AnnotationConfigApplicationContext context = context(Right.class)) {
      assertThat(catchThrowableOfType(ConfigurationException.class, context::refresh).faults())
          .singleElement()
          .satisfies(
              starts(
                  "@TransactionalMessage at Right.pay: no TransactionalMessages (expected:"
                      + " angarium.half.enabled=true"));
    }
  }
}
