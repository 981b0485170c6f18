package io.angarium.spring.half;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Sends a message if, and only if, the transaction of a method commits. It is for half messages on
 * a server or in another database. Angarium first prepares the half message, then begins a local
 * transaction with its marker and calls the method. After a commit it commits the half message;
 * after a rollback it rolls the half message back. If a step is lost on the way, a check-back asks,
 * and the marker answers; the application needs no code for it.
 *
 * <pre>{@code
 * @TransactionalMessage(business = "order-paid", key = "#order.id", destination = "kafka:orders",
 *     payload = "#order")
 * public Receipt pay(Order order) { ... }
 * }</pre>
 *
 * <p>The method needs no {@code @Transactional}. With it, the method joins the transaction of this
 * annotation, so its transaction manager must be the one of the outbox's data source. <b>Whatever
 * the method throws rolls back</b>, also a checked exception, and goes on to the caller. A commit
 * with an unknown outcome throws {@code OutcomeUnknownException}. A key that was used before throws
 * {@code MarkerTakenException}, and the method is not called.
 *
 * <p>A call in a transaction that is already open is refused with {@code IllegalStateException},
 * before anything is prepared: Angarium cannot tell whether that transaction commits.
 *
 * <p>Expressions are Spring expressions (SpEL) over the arguments, {@code #name} or {@code #p0}.
 * They are evaluated before the method is called, because the message is prepared before it. What
 * the method returns cannot be a part of the message. An expression that cannot be evaluated throws
 * {@code InvalidMessageException}. An unchecked exception of the code that it calls goes on to the
 * caller. For headers, a delay or an address of the check-back, call {@code TransactionalMessages}.
 *
 * <p>The method is called through a proxy: it must not be private, static or final. Its own object
 * must not call it, because such a call sends nothing. A wrong declaration stops the start, which
 * lists every fault.
 */
@Documented
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface TransactionalMessage {
  /**
   * The business id of the half messages, 1..128 characters; may hold {@code ${placeholders}}. Its
   * check-backs are answered from the markers, unless a bean of {@code CheckBack} has this name.
   */
  String business();

  /**
   * An expression that gives the key of the half message, as text, a number, a UUID or an enum.
   * Nothing happens twice under one key of a business: a new attempt after a rollback takes a new
   * one.
   */
  String key();

  /** Where the message goes, e.g. {@code kafka:orders}; may hold {@code ${placeholders}}. */
  String destination();

  /**
   * An expression that gives the payload: bytes, text, which is sent in UTF-8, or an object, which
   * the bean of {@code TypedPayloads} writes.
   */
  String payload();

  /**
   * An expression that gives the key of the message, as text, a number, a UUID or an enum: messages
   * of one key and destination keep their order. By default, or if it gives null, there is none.
   */
  String messageKey() default "";
}
