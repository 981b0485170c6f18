package io.angarium.examples.consoledemo;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.console.access.ConsoleAccess;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * One shop and one browser for all tests of a class. After each test the browser must not have
 * complained, which includes violations of the content security policy.
 */
final class Visit implements BeforeAllCallback, AfterEachCallback, AfterAllCallback {
  /** Strangers are asked to sign in, which the browser notes. */
  private static final String NOT_SIGNED_IN = "401";

  private final List<ConsoleAccess> ways;
  private final PassingTime time = new PassingTime();
  private @Nullable DemoShop shop;
  private @Nullable Browser browser;

  private Visit(List<ConsoleAccess> ways) {
    this.ways = ways;
  }

  static Visit withTickets() {
    return new Visit(List.of());
  }

  static Visit with(ConsoleAccess way) {
    return new Visit(List.of(way));
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    DemoShop started = DemoShop.start(0, ways, time);
    shop = started;
    started.makeTroubles();
    browser = Browser.start();
    if (ways.isEmpty()) {
      browser().open(started.link());
      browser().see("h1", "");
    }
  }

  /** The clock of sessions. */
  PassingTime time() {
    return time;
  }

  DemoShop shop() {
    return Objects.requireNonNull(shop);
  }

  Browser browser() {
    return Objects.requireNonNull(browser);
  }

  /** Opens a page by its address and waits until it shows its content. */
  void open(String query) {
    browser().open(shop().address() + query);
    awaitContent();
  }

  /** Waits until nothing is being loaded any more. */
  void awaitContent() {
    browser().see("h1", "");
    browser().seeCount("[aria-busy=true]", 0);
  }

  @Override
  public void afterEach(ExtensionContext context) {
    if (context.getExecutionException().isPresent()) {
      browser().screenshot("failed-" + context.getRequiredTestMethod().getName());
      return;
    }
    assertThat(browser().complaints())
        .filteredOn(each -> ways.isEmpty() || !each.contains(NOT_SIGNED_IN))
        .isEmpty();
    assertThat(new PageFaults(browser()).ofState()).isEmpty();
  }

  @Override
  public void afterAll(ExtensionContext context) {
    if (browser != null) {
      browser.close();
    }
    if (shop != null) {
      shop.close();
    }
  }
}
