package io.angarium.spring.modulith;

import io.angarium.NoTransactionException;
import io.angarium.Outbox;
import java.util.function.Supplier;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.core.Ordered;
import org.springframework.modulith.events.EventExternalizationConfiguration;

/**
 * Sends each event that is to be externalized through the outbox, while it is published: on the
 * publisher's thread and in its transaction. Thread-safe.
 *
 * <p>It is called before the other listeners. So messages are written in the order in which their
 * events were published, also if a listener publishes further events.
 */
final class ExternalizedEvents implements ApplicationListener<ApplicationEvent>, Ordered {
  private static final String FRAMEWORK = "org.springframework.";

  private final EventExternalizationConfiguration configuration;
  private final EventMessages messages;
  private final Supplier<Outbox> outbox;

  /**
   * Creates a listener.
   *
   * @param outbox asked at the first event; the first events of an application come before its
   *     beans
   */
  ExternalizedEvents(
      EventExternalizationConfiguration configuration,
      EventMessages messages,
      Supplier<Outbox> outbox) {
    this.configuration = configuration;
    this.messages = messages;
    this.outbox = outbox;
  }

  @Override
  public void onApplicationEvent(ApplicationEvent published) {
    Object event =
        published instanceof PayloadApplicationEvent<?> carrier ? carrier.getPayload() : published;
    if (!isOfTheFramework(event) && configuration.supports(event)) {
      send(event);
    }
  }

  /** A selection of everything does not mean the events of the framework's own life. */
  private static boolean isOfTheFramework(Object event) {
    return event.getClass().getName().startsWith(FRAMEWORK);
  }

  private void send(Object event) {
    try {
      outbox.get().send(messages.of(event));
    } catch (NoTransactionException e) {
      NoTransactionException named =
          new NoTransactionException(
              "Event "
                  + event.getClass().getName()
                  + " is externalized and has to be published in a transaction. "
                  + e.getMessage());
      named.initCause(e);
      throw named;
    }
  }

  /** The transaction belongs to the publisher's thread, whatever executor the multicaster has. */
  @Override
  public boolean supportsAsyncExecution() {
    return false;
  }

  @Override
  public int getOrder() {
    return Ordered.HIGHEST_PRECEDENCE;
  }
}
