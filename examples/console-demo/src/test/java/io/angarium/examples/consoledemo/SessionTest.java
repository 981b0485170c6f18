package io.angarium.examples.consoledemo;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.console.access.KeyAccess;
import io.angarium.console.access.KeyAccess.HashedKey;
import io.angarium.console.access.KeyHash;
import io.angarium.console.access.Operator;
import io.angarium.console.access.Right;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.Thorough;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.openqa.selenium.Keys;

/** Who comes in, who goes, and what becomes of a page whose session has ended. */
@Thorough
@RequiresServer(Server.CHROMIUM)
class SessionTest {
  private static final String KEY = "a key of a viewer, for the tests only";

  /** Of the key above. */
  private static final String HASH =
      "sha256:999faf32af68f54105fad4d21efa7bba83f28a41b5520fedf16cb683283a25a2";

  @RegisterExtension
  static final Visit VISIT =
      Visit.with(
          new KeyAccess(
              List.of(new HashedKey(new KeyHash(HASH), Operator.ofAll("vera", Right.VIEWER)))));

  private final Browser browser = VISIT.browser();

  /** A minute takes only so many sign-ins of one address. */
  @BeforeEach
  void nobodyIsSignedIn() {
    VISIT.time().pass(Duration.ofMinutes(2));
    browser.open(VISIT.shop().address());
    browser.forgetCookies();
  }

  @Test
  void ticketLetsItsFirstVisitorInAndNoOther() {
    // given
    String link = VISIT.shop().link();

    // when
    browser.open(link);
    browser.see("h1", "need");
    String address = browser.address();
    browser.forgetCookies();
    browser.open(link);

    // then
    assertThat(address).doesNotContain("ticket");
    browser.see("h1", "Sign in to Angarium");
    browser.see("main", "Open the address that the server printed when it started.");
  }

  @Test
  void personSignsOutByMouse() {
    // given
    browser.open(VISIT.shop().link());
    browser.see("h1", "need");

    // when
    browser.click("header .menu > button", "");
    browser.see(".menu-items", "local");
    browser.click(".menu-items button", "Sign out");

    // then
    browser.see("h1", "Sign in to Angarium");
    browser.open(VISIT.shop().address() + "?page=audit");
    browser.see("h1", "Sign in to Angarium");
  }

  @Test
  void wantedPageAppearsAfterTheSignInByKeyboard() {
    // given
    browser.open(VISIT.shop().address() + "?page=dead");
    browser.awaitFocus("input[type=password]", "");

    // when
    browser.press("no such key", Keys.ENTER);
    browser.see("[role=alert]", "This key is not known.");
    browser.tabTo("input[type=password]", "");
    browser.pressWith(Keys.CONTROL, "a");
    browser.press(KEY, Keys.ENTER);

    // then
    browser.see("h1", "Dead letters");
    assertThat(browser.address()).endsWith("?page=dead");
    browser.tabTo("header .menu > button", "");
    browser.press(Keys.ENTER);
    browser.tabTo(".menu-items button", "Sign out");
    browser.press(Keys.ENTER);
    browser.see("h1", "Sign in to Angarium");
  }

  @Test
  void viewerSeesWhyActsAreNotPermitted() {
    // given
    browser.open(VISIT.shop().address() + "?page=dead");
    browser.see("input[type=password]", "");
    browser.type("input[type=password]", KEY + "\n");

    // when
    browser.click("main tr[data-row]:first-child .tick-box", "");
    browser.click(".bar button", "Requeue");

    // then
    browser.see(".notice", "You may not do this. It needs the role operator.");
    browser.screenshot("viewer");
  }

  @Test
  void sessionEndsByItselfWhenNobodyUsesIt() {
    // given
    browser.open(VISIT.shop().link());
    browser.see("h1", "need");

    // when
    VISIT.time().pass(Duration.ofHours(9));
    browser.press("r");

    // then
    browser.see("h2", "The session has ended");
    browser.open(VISIT.shop().link()); // a new one
    browser.see("h1", "need");
    browser.seeNo(".stale", "");
  }

  @Test
  void sessionThatEndsMidwayLeadsToTheSignInAndBack() {
    // given
    browser.open(VISIT.shop().address() + "?page=dead");
    browser.see("input[type=password]", "");
    browser.type("input[type=password]", KEY + "\n");
    browser.see("h1", "Dead letters");

    // when
    browser.forgetCookies();
    browser.press("r");
    browser.see("h2", "The session has ended");
    browser.screenshot("session-ended");
    browser.type("input[type=password]", KEY + "\n");

    // then
    browser.see("h1", "Dead letters");
    browser.see("main tr[data-row]", "");
  }
}
