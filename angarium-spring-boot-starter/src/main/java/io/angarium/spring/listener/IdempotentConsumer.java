package io.angarium.spring.listener;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Lets the inbox call a listener: once for each message, in one transaction with the note that the
 * message was processed. For a {@code @KafkaListener} or {@code @RabbitListener}, for one message
 * or a batch, for a listener of RocketMQ, and for any other method of a bean that is called with a
 * message.
 *
 * <pre>{@code
 * @KafkaListener(topics = "orders")
 * @IdempotentConsumer(consumer = "stock")
 * public void receive(ConsumerRecord<String, byte[]> order) { ... }
 * }</pre>
 *
 * <p>A repeat does not call the method and ends as if it had returned; a method that returns
 * something returns null then, or RocketMQ's status for success. A batch calls it with the messages
 * that are new, if there are any, and is one transaction: it takes effect as a whole or not at all.
 * What the method throws rolls back and goes on to the container, which must deliver again.
 *
 * <p>A message is known by the id that Angarium gave it, or by {@link #businessKey}, {@link #key}
 * or {@link #extractor}. One that has none is not processed: {@link UnidentifiedMessageException}.
 *
 * <p>The method is called through a proxy: it must not be private, static or final, nor be called
 * by its own object. What is declared wrongly stops the start, with every fault listed.
 */
@Documented
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface IdempotentConsumer {
  /**
   * Who processes the messages, 1..100 characters; may hold {@code ${placeholders}}. The messages
   * of one consumer are processed once between all its listeners and nodes; another name is another
   * consumer, which knows nothing of what this one has processed.
   */
  String consumer();

  /**
   * Whether messages are known by the business type and key that their sender gave them, instead of
   * by their id: several messages that tell the same are processed once.
   */
  boolean businessKey() default false;

  /**
   * An expression of Spring (SpEL) that gives what identifies a message: text, a number, a UUID, an
   * enum, a time or bytes. Its root is the message, in a batch each of them; arguments are {@code
   * #name} or {@code #p0}. By default the id.
   */
  String key() default "";

  /** A bean that tells what identifies a message. By default there is none. */
  @SuppressWarnings("rawtypes") // a class has no type arguments
  Class<? extends KeyExtractor> extractor() default KeyExtractor.class;

  /**
   * The type of the document that {@link #key} or the {@link #extractor} names, e.g. {@code
   * order-paid}: the same key of another type is something else. The inbox is asked for {@code
   * InboxKey.ofBusiness} then, without it for {@code InboxKey.of}.
   */
  String type() default "";

  /**
   * The name of the bean of the inbox; by default the only one, or the one with {@code @Primary}.
   */
  String inbox() default "";

  /**
   * Whether another class may name the same consumer. What one of them has processed, the other
   * does not see: right for one consumer with several sources, wrong for two that both want a
   * message. Then it must be set at both.
   */
  boolean shared() default false;
}
