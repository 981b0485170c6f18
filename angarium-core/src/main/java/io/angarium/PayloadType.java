package io.angarium;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names the type of a payload class, as it travels with messages: the class can be renamed or moved
 * without a change for consumers.
 *
 * <pre>{@code
 * @PayloadType(value = "order-paid", aliases = "OrderPaidEvent")
 * record OrderPaid(long order, String currency) {}
 * }</pre>
 *
 * <p>It holds for exactly this class, not for subclasses. A name registered with {@link
 * TypeNames.Builder} takes precedence.
 */
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface PayloadType {
  /** The name written, 1..255 characters, e.g. {@code order-paid}. */
  String value();

  /** Further names under which the class is read, e.g. those that older producers wrote. */
  String[] aliases() default {};
}
