package io.angarium;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class TypeNamesTest {
  /** Nobody named it. */
  record OrderShipped(long order) {}

  @PayloadType(
      value = "order-paid",
      aliases = {"OrderPaidEvent", "paid"})
  record OrderPaid(long order) {}

  /** In the place of a class of another package. */
  static final class Elsewhere {
    private Elsewhere() {}

    record OrderShipped(long order) implements Ambiguous {}

    @PayloadType("order-shipped")
    record Other() implements Ambiguous {}

    record Refunded() implements ParcelEvent {}

    @PayloadType("order-cancelled")
    record Cancelled() implements ParcelEvent {}

    @PayloadType("order-paid")
    record SamePaid(long order) {}
  }

  @PayloadType(" ")
  record WithoutText() {}

  sealed interface OrderEvent permits Cancelled, Refunded {}

  @PayloadType("order-cancelled")
  record Cancelled() implements OrderEvent {}

  record Refunded() implements OrderEvent {}

  sealed interface ParcelEvent permits Elsewhere.Refunded, Elsewhere.Cancelled {}

  sealed interface Ambiguous permits Elsewhere.OrderShipped, Elsewhere.Other {}

  static class HTTPRequest2Sent {}

  static class OrderV2 {}

  static class Order_ID {}

  static class X {}

  private final ByteArrayOutputStream log = new ByteArrayOutputStream();
  private final PrintStream before = System.err;

  @BeforeEach
  void readTheLog() {
    System.setErr(new PrintStream(log, true, UTF_8));
  }

  @AfterEach
  void leaveTheLog() {
    System.setErr(before);
  }

  private List<String> warnings() {
    return log.toString(UTF_8).lines().filter(line -> line.contains("WARN")).toList();
  }

  static List<List<Object>> derivedNames() {
    return List.of(
        List.of(OrderShipped.class, "order-shipped"),
        List.of(HTTPRequest2Sent.class, "http-request2-sent"),
        List.of(OrderV2.class, "order-v2"),
        List.of(Order_ID.class, "order-id"),
        List.of(X.class, "x"));
  }

  @ParameterizedTest
  @MethodSource("derivedNames")
  void nameIsDerivedFromTheSimpleNameOfTheClass(List<Object> expected) {
    assertThat(TypeNames.derived().nameOf((Class<?>) expected.get(0))).isEqualTo(expected.get(1));
  }

  @Test
  void derivedNameIsWarnedOfOnceForEachClass() {
    TypeNames names = TypeNames.derived();

    for (int i = 0; i < 3; i++) {
      names.nameOf(OrderShipped.class);
      names.classOf("order-shipped", OrderShipped.class);
    }

    assertThat(warnings())
        .singleElement()
        .asString()
        .contains(OrderShipped.class.getName(), "@PayloadType(\"order-shipped\")");
  }

  @Test
  void givenNamesAreNotWarnedOf() {
    TypeNames names =
        TypeNames.builder().type("shipped", OrderShipped.class).deriveOthers().build();

    assertThat(names.nameOf(OrderShipped.class)).isEqualTo("shipped");
    assertThat(names.nameOf(OrderPaid.class)).isEqualTo("order-paid");
    assertThat(warnings()).isEmpty();
  }

  static Stream<Arguments> namelessObjects() {
    return Stream.<Object>of(
            "text",
            4711L,
            new byte[1],
            new OrderPaid[0],
            new HashMap<>(),
            new ArrayList<>(List.of("x")) {},
            new Object() {},
            (Runnable) () -> {},
            Proxy.newProxyInstance(
                TypeNamesTest.class.getClassLoader(),
                new Class<?>[] {Runnable.class},
                (proxy, method, arguments) -> null))
        .map(object -> Arguments.of(object));
  }

  @ParameterizedTest
  @MethodSource("namelessObjects")
  void noNameIsDerivedThatWouldSayNothing(Object object) {
    assertThatThrownBy(() -> TypeNames.derived().nameOf(object.getClass()))
        .isInstanceOf(PayloadException.class)
        .hasMessageContaining(object.getClass().getName() + " has no type name")
        .hasMessageContaining("TypeNames.builder().type(\"<name>\", <class>)");
  }

  @Test
  void secondClassOfADerivedNameIsRefusedWithBothNamed() {
    TypeNames names = TypeNames.derived();
    names.nameOf(OrderShipped.class);

    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> names.nameOf(Elsewhere.OrderShipped.class))
          .isInstanceOf(PayloadException.class)
          .hasMessageContaining("'order-shipped' stands for " + OrderShipped.class.getName())
          .hasMessageContaining(Elsewhere.OrderShipped.class.getName())
          .hasMessageContaining("@PayloadType");
    }
    assertThat(names.nameOf(OrderShipped.class)).isEqualTo("order-shipped");
  }

  @Test
  void secondClassOfADeclaredOrRegisteredNameIsRefused() {
    TypeNames declared = TypeNames.builder().build();
    declared.nameOf(OrderPaid.class);
    TypeNames registered =
        TypeNames.builder().type("order-shipped", OrderPaid.class).deriveOthers().build();

    assertThatThrownBy(() -> declared.nameOf(Elsewhere.SamePaid.class))
        .isInstanceOf(PayloadException.class)
        .hasMessageContaining("'order-paid' stands for " + OrderPaid.class.getName());
    assertThatThrownBy(() -> registered.nameOf(OrderShipped.class))
        .isInstanceOf(PayloadException.class)
        .hasMessageContaining("'order-shipped' stands for " + OrderPaid.class.getName());
  }

  @Test
  void declaredNameNeedsNoRegistrationAndARegisteredOneTakesPrecedence() {
    TypeNames names = TypeNames.builder().build();
    TypeNames mapped = TypeNames.builder().type("mapped", OrderPaid.class).build();

    assertThat(names.nameOf(OrderPaid.class)).isEqualTo("order-paid");
    assertThat(mapped.nameOf(OrderPaid.class)).isEqualTo("mapped");
    assertThatThrownBy(() -> names.nameOf(OrderShipped.class))
        .isInstanceOf(PayloadException.class)
        .hasMessageContaining("has no logical type name; put @PayloadType");
  }

  @Test
  void oldNamesOfADeclaredTypeAreRead() {
    TypeNames names = TypeNames.derived();

    assertThat(names.classOf("order-paid", OrderPaid.class)).isEqualTo(OrderPaid.class);
    assertThat(names.classOf("OrderPaidEvent", OrderPaid.class)).isEqualTo(OrderPaid.class);
    assertThat(names.classOf("paid", OrderPaid.class)).isEqualTo(OrderPaid.class);
    assertThatThrownBy(() -> names.classOf("order-shipped", OrderPaid.class))
        .isInstanceOf(PayloadException.class)
        .hasMessageContaining(
            "'order-shipped' (expected: one of [OrderPaidEvent, order-paid, paid])");
    assertThatThrownBy(() -> names.classOf(null, OrderPaid.class))
        .isInstanceOf(PayloadException.class)
        .hasMessageContaining("payload type: none");
  }

  @Test
  void classesThatASealedTypePermitsAreToldApartByTheirNames() {
    TypeNames names = TypeNames.derived();

    assertThat(names.classOf("order-cancelled", OrderEvent.class)).isEqualTo(Cancelled.class);
    assertThat(names.classOf("refunded", OrderEvent.class)).isEqualTo(Refunded.class);
    assertThatThrownBy(() -> names.classOf("order-paid", OrderEvent.class))
        .isInstanceOf(PayloadException.class)
        .hasMessageContaining("(expected: one of [order-cancelled, refunded])");
    assertThatThrownBy(() -> names.classOf("object", Object.class))
        .isInstanceOf(PayloadException.class);
  }

  @Test
  void familiesThatAreReadMayUseTheSameNames() {
    TypeNames names = TypeNames.derived();
    names.nameOf(Refunded.class);

    assertThat(names.classOf("refunded", OrderEvent.class)).isEqualTo(Refunded.class);
    assertThat(names.classOf("refunded", ParcelEvent.class)).isEqualTo(Elsewhere.Refunded.class);
    assertThat(names.classOf("order-cancelled", OrderEvent.class)).isEqualTo(Cancelled.class);
    assertThat(names.classOf("order-cancelled", ParcelEvent.class))
        .isEqualTo(Elsewhere.Cancelled.class);
    assertThatThrownBy(() -> names.nameOf(Elsewhere.Refunded.class))
        .isInstanceOf(PayloadException.class)
        .hasMessageContaining("'refunded' stands for " + Refunded.class.getName());
  }

  @Test
  void aNameThatTwoClassesOfAFamilyHaveIsRefused() {
    assertThatThrownBy(() -> TypeNames.derived().classOf("order-shipped", Ambiguous.class))
        .isInstanceOf(PayloadException.class)
        .hasMessageContaining(
            "'order-shipped' stands for " + Elsewhere.OrderShipped.class.getName())
        .hasMessageContaining(Elsewhere.Other.class.getName());
  }

  @Test
  void whatCannotHaveADerivedNameIsFoundToHaveNone() {
    TypeNames names = TypeNames.builder().type("prices", TreeMap.class).deriveOthers().build();

    assertThat(names.findName(HashMap.class)).isEmpty();
    assertThat(names.findName(byte[].class)).isEmpty();
    assertThat(names.findName(TreeMap.class)).contains("prices");
    assertThat(names.findName(Refunded.class)).contains("refunded");
    assertThatThrownBy(() -> TypeNames.builder().build().findName(Refunded.class))
        .isInstanceOf(PayloadException.class);
  }

  @Test
  void annotatedClassesAreRegisteredWithTheirAliases() {
    TypeNames names = TypeNames.builder().type(OrderPaid.class).type(Cancelled.class).build();

    assertThat(names.classOf("order-paid")).isEqualTo(OrderPaid.class);
    assertThat(names.classOf("paid")).isEqualTo(OrderPaid.class);
    assertThat(names.classOf("order-cancelled", OrderEvent.class)).isEqualTo(Cancelled.class);
  }

  @Test
  void everyFaultOfARegistrationIsListed() {
    TypeNames.Builder builder =
        TypeNames.builder()
            .type(OrderShipped.class)
            .type(WithoutText.class)
            .type("a\0", X.class)
            .type(OrderPaid.class)
            .type(Elsewhere.SamePaid.class);

    assertThatThrownBy(builder::build)
        .isInstanceOfSatisfying(
            ConfigurationException.class,
            e ->
                assertThat(e.faults())
                    .hasSize(4)
                    .anyMatch(fault -> fault.contains("@PayloadType on the class"))
                    .anyMatch(fault -> fault.contains("'order-paid' for")));
    assertThatThrownBy(() -> TypeNames.derived().nameOf(WithoutText.class))
        .isInstanceOf(PayloadException.class)
        .hasMessageContaining("' ' (expected: 1..255 characters");
  }
}
