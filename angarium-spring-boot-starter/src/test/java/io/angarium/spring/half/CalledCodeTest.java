package io.angarium.spring.half;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.InvalidMessageException;
import java.io.IOException;
import java.lang.reflect.Method;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/**
 * What fails in code that an expression calls may be gone at the next call: it is no wrong message.
 */
class CalledCodeTest {
  private final DefaultListableBeanFactory beans = new DefaultListableBeanFactory();

  /** The argument of the method. */
  public static final class Order {
    private final Callable<Object> number;

    Order(Callable<Object> number) {
      this.number = number;
    }

    public Object next() throws Exception {
      return number.call();
    }

    public Object getNumber() throws Exception {
      return number.call();
    }
  }

  interface Shop {
    void pay(Order order);
  }

  private @Nullable Object value(String expression, Callable<Object> number) throws Exception {
    Method method = Shop.class.getDeclaredMethod("pay", Order.class);
    return new ArgumentExpression(
            "key",
            new SpelExpressionParser().parseExpression(expression),
            "Shop.pay",
            method,
            beans)
        .of(new Object[] {new Order(number)});
  }

  private static Callable<Object> failing(Exception failure) {
    return () -> {
      throw failure;
    };
  }

  @Test
  void whatAMethodOrAGetterThrowsGoesToTheCaller() {
    IllegalStateException away = new IllegalStateException("the numbers are away");

    assertThatThrownBy(() -> value("#p0.next()", failing(away))).isSameAs(away);
    assertThatThrownBy(() -> value("#p0.number", failing(away))).isSameAs(away);
  }

  @Test
  void errorsGoToTheCaller() {
    AssertionError error = new AssertionError("planned");
    Callable<Object> broken =
        () -> {
          throw error;
        };

    assertThatThrownBy(() -> value("#p0.next()", broken)).isSameAs(error);
    assertThatThrownBy(() -> value("#p0.number", broken)).isSameAs(error);
  }

  @Test
  void aCheckedExceptionIsNoWrongMessageEither() {
    IOException away = new IOException("the numbers are away");

    assertThatThrownBy(() -> value("#p0.next()", failing(away)))
        .isInstanceOf(IllegalStateException.class)
        .hasCause(away)
        .hasMessageContaining("@TransactionalMessage at Shop.pay: key '#p0.next()'")
        .hasMessageContaining("the method was not called");
    assertThatThrownBy(() -> value("#p0.number", failing(away)))
        .isInstanceOf(IllegalStateException.class)
        .hasCause(away);
  }

  @Test
  void aBeanThatCannotBeMadeIsNoWrongMessage() {
    beans.registerBeanDefinition(
        "numbers",
        new RootBeanDefinition(
            Order.class,
            () -> {
              throw new IllegalStateException("the numbers are away");
            }));

    assertThatThrownBy(() -> value("@numbers.next()", () -> 5))
        .isInstanceOf(BeanCreationException.class)
        .hasRootCauseMessage("the numbers are away");
  }

  @Test
  void whatIsWrongWithTheExpressionIsAWrongMessage() throws Exception {
    assertThat(value("#p0.number", () -> 5)).isEqualTo(5);

    assertThatThrownBy(() -> value("#p0.none", () -> 5))
        .isInstanceOf(InvalidMessageException.class);
    assertThatThrownBy(() -> value("@none.next()", () -> 5))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining("Shop.pay: key '@none.next()' cannot be evaluated");
  }
}
