package io.angarium.examples.consoledemo;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.alert.AlertKey;
import io.angarium.desk.ActBy;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.Thorough;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What somebody does who was woken by an alert. */
@Thorough
@RequiresServer(Server.CHROMIUM)
class AlertJourneysTest {
  private static final String LINK = "?page=alerts&rule=dead-letters&subject=outbox";
  private static final String ROW = "main tr[data-row]";
  private static final String REASON = "dialog input[data-focus]";

  @RegisterExtension static final Visit VISIT = Visit.withTickets();

  private final Browser browser = VISIT.browser();
  private final Shown shown = new Shown(VISIT.shop().desk());

  @Test
  void alertOfALinkIsTakenOverFromSomebodyWhoWasFaster() {
    // given
    VISIT.open(LINK);
    browser.see("h1", "Dead letters");
    browser.click(ROW + " button", "Take");
    browser.see("dialog", "reminders stop");
    ActBy bob = ActBy.of("bob", "I have it already", ActBy.Via.PAGE);
    VISIT.shop().alerts().take(new AlertKey("dead-letters", AlertKey.OUTBOX), null, bob);

    // when
    browser.type(REASON, "on it");
    browser.click("dialog footer button", "Take");
    browser.see("dialog [role=alert]", "bob has taken the alert meanwhile");
    browser.see("dialog", "bob has taken it. You take it over.");
    browser.screenshot("alert-1-taken-meanwhile");
    browser.click("dialog footer button", "Take");

    // then
    browser.see(".notice", "You have taken the alert.");
    browser.see(ROW, "by local");
    assertThat(shown.acts("take-alert", "on it")).hasSize(1);
    assertThat(browser.complaints()).allMatch(each -> each.contains("409"));
    browser.click(ROW + " a", "Dead letters");
    browser.see(ROW, "is larger than max.message.bytes");
  }

  @Test
  void expectedAlertsAreSilencedByRuleAndToldAgain() {
    // given
    VISIT.open("?page=alerts");
    browser.click("main button", "New silence");
    browser.see("dialog h2", "Silence alerts?");

    // when
    browser.type("dialog .field input[list]", "half-*");
    browser.type(REASON, "a migration until noon");
    browser.click("dialog footer button", "Silence");

    // then
    browser.see(".notice", "Silenced until");
    browser.see(ROW, "half-*");
    assertThat(shown.acts("silence-alerts", "a migration")).hasSize(1);

    // when
    browser.click("main tr:has(b[title='half-*']) button", "Lift");
    browser.type(REASON, "it is done");
    browser.click("dialog footer button", "Lift");

    // then
    browser.see(".notice", "The silence has ended.");
    browser.seeNo(ROW, "half-*");
  }

  @Test
  void testOfAChannelSaysWhatItsReceiverAnswered() {
    VISIT.open("?page=alerts");
    browser.click(".channels li:last-child button", "Test");
    browser.type(REASON, "a new robot");
    browser.click("dialog footer button", "Send test notice");

    browser.see(".notice", "The channel night-shift did not accept the test notice.");
    browser.see(".notice", "no such robot");
    assertThat(shown.acts("test-channel", "a new robot")).hasSize(1);
  }
}
