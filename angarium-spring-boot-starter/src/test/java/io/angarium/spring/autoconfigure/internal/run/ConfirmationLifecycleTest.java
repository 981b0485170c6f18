package io.angarium.spring.autoconfigure.internal.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.ConfigurationException;
import io.angarium.StoreException;
import io.angarium.spring.settings.AngariumProperties;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.BeanCreationException;

class ConfirmationLifecycleTest {
  private final List<String> steps = new ArrayList<>();

  private ConfirmationLifecycle with(List<String> destinations, long unconfirmed) {
    return with(destinations, unconfirmed, false);
  }

  private ConfirmationLifecycle with(
      List<String> destinations, long unconfirmed, boolean overHttp) {
    return new ConfirmationLifecycle(
        () -> isAnyLeft(unconfirmed),
        () -> {
          steps.add("watch");
          return () -> steps.add("end");
        },
        from -> () -> steps.add("no receipts"),
        new AngariumProperties.Confirmation(
            destinations,
            null,
            null,
            null,
            "shop",
            new AngariumProperties.ReceiptsEndpoint(overHttp, "/receipts", null, true),
            null));
  }

  /** A negative number stands for a database that is away. */
  private static boolean isAnyLeft(long unconfirmed) {
    if (unconfirmed < 0) {
      throw new StoreException("planned", null);
    }
    return unconfirmed > 0;
  }

  @Test
  void nothingRunsWhereNothingIsConfirmed() {
    ConfirmationLifecycle lifecycle = with(List.of(), 0);

    lifecycle.start();

    assertThat(lifecycle.isRunning()).isFalse();
    assertThat(steps).isEmpty();
  }

  @Test
  void whatIsLeftFromBeforeIsWatched() {
    with(List.of(), 1).start();
    with(List.of(), -1).start();

    assertThat(steps).containsExactly("watch", "watch");
  }

  /** E.g. tables of a newer version, or the database is away when the beans are created. */
  @Test
  void unusableTablesStopTheStartOnlyWhereConfirmationIsOn() {
    ConfirmationLifecycle off = failing(List.of());
    ConfirmationLifecycle on = failing(List.of("kafka:orders"));

    off.start();

    assertThat(off.isRunning()).isFalse();
    assertThatThrownBy(on::start).isInstanceOf(BeanCreationException.class);
  }

  private static ConfirmationLifecycle failing(List<String> destinations) {
    ConfigurationException fault = new ConfigurationException(List.of("planned"));
    return new ConfirmationLifecycle(
        () -> {
          throw new StoreException("planned", null);
        },
        () -> {
          throw new BeanCreationException("angariumConfirmations", "planned", fault);
        },
        from -> () -> {},
        new AngariumProperties.Confirmation(
            destinations,
            null,
            null,
            null,
            "shop",
            new AngariumProperties.ReceiptsEndpoint(false, "/receipts", null, true),
            null));
  }

  @Test
  void receiptsThatComeOverHttpAreForgottenInTime() {
    with(List.of(), 0, true).start();

    assertThat(steps).containsExactly("watch");
  }

  @Test
  void secondStartDoesNothing() {
    ConfirmationLifecycle lifecycle = with(List.of("kafka:orders"), 0);

    lifecycle.start();
    lifecycle.start();
    lifecycle.stop();
    lifecycle.stop();

    assertThat(steps).containsExactly("watch", "end");
    assertThat(lifecycle.isRunning()).isFalse();
  }
}
