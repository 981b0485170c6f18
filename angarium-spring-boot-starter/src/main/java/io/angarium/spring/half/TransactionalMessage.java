package io.angarium.spring.half;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Sends a message if, and only if, the transaction of a method commits, where the half messages are
 * on a server or in another database. Before the method the half message is prepared, then a local
 * transaction with its marker is begun and the method called; after the commit the half message is
 * committed, after a rollback rolled back. What is lost on the way is asked for, and the marker
 * answers, with nothing to write for it.
 *
 * <pre>{@code
 * @TransactionalMessage(business = "order-paid", key = "#order.id", destination = "kafka:orders",
 *     payload = "#order")
 * public Receipt pay(Order order) { ... }
 * }</pre>
 *
 * <p>The method needs no {@code @Transactional}; with it, it joins the transaction of this one, so
 * its transaction manager must be the one of the outbox's data source. <b>Whatever it throws rolls
 * back</b>, also a checked exception, and goes on to the caller. A commit whose outcome cannot be
 * told is an {@code OutcomeUnknownException}; a key that was used before a {@code
 * MarkerTakenException}, and the method is not called.
 *
 * <p>In a transaction that is open already it cannot be told whether that one commits: such a call
 * is refused with {@code IllegalStateException}, before anything is prepared.
 *
 * <p>Expressions are those of Spring (SpEL) over the arguments, {@code #name} or {@code #p0}. They
 * are evaluated before the method is called, since the message is prepared before it; what the
 * method returns cannot be a part of it. One that cannot be evaluated is an {@code
 * InvalidMessageException}; an unchecked exception of the code that it calls goes on to the caller.
 * For headers, a delay or an address of the check-back call {@code TransactionalMessages}.
 *
 * <p>The method is called through a proxy: it must not be private, static or final, nor be called
 * by its own object, which would send nothing. What is declared wrongly stops the start, with every
 * fault listed.
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
