package io.angarium.examples.consoledemo;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.examples.consoledemo.scene.LostParcels;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.Thorough;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.openqa.selenium.Keys;

/** What others do to the shop is seen and borne, with the mouse and by keyboard. */
@Thorough
@RequiresServer(Server.CHROMIUM)
class OutageJourneysTest {
  private static final String BROKER = "kafka:reminders";

  @RegisterExtension static final Visit VISIT = Visit.withTickets();

  private final Browser browser = VISIT.browser();
  private final Shown shown = new Shown(VISIT.shop().desk());

  @Test
  void brokerThatWillBeRestartedIsPausedByMouse() {
    // given
    VISIT.open("");
    browser.click("nav a", "Destinations");
    browser.click("main tr[data-row] a[data-open]", BROKER);
    browser.see("main h1", BROKER);

    // when
    browser.click("main .page-head button", "Pause");
    browser.type("dialog input[data-focus]", "the broker restarts at 14:00, CHG-120");
    browser.screenshot("journey-8-pause");
    browser.click("dialog footer button.primary", "Pause");

    // then
    browser.see("main .line.pause", "the broker restarts at 14:00, CHG-120");
    browser.see("main .line.pause", "No node sends, and nothing is under way");
    browser.screenshot("journey-8-paused");
    browser.click("nav a", "Overview");
    browser.see(".troubles li.warn", "the broker restarts at 14:00, CHG-120");

    // and
    browser.click(".troubles li:has(bdi[title*='CHG-120']) a[data-open]", "Look or resume");
    resumed();
    assertThat(shown.acts("pause-destination", "the broker restarts at 14:00, CHG-120"))
        .isNotEmpty();
  }

  private void resumed() {
    browser.click("main .line.pause button", "Resume");
    browser.type("dialog input[data-focus]", "the broker is back");
    browser.click("dialog footer button.primary", "Resume");
    browser.see(".notice", "Resumed.");
    browser.seeCount("main .line.pause", 0);
  }

  @Test
  void brokerThatWillBeRestartedIsPausedByKeyboard() {
    // given
    VISIT.open("");
    browser.press("g", "t");
    browser.stepTo("rabbitmq:shop/invoices");
    browser.press(Keys.ENTER);
    browser.see("main h1", "rabbitmq:shop/invoices");

    // when
    browser.tabTo("main .page-head button", "Pause");
    browser.press(Keys.ENTER);
    browser.awaitFocus("dialog input", "");
    browser.press("the broker restarts at 15:00, CHG-121", Keys.ENTER);

    // then
    browser.see("main .line.pause", "the broker restarts at 15:00, CHG-121");
    browser.tabTo("main .line.pause button", "Resume");
    browser.press(Keys.ENTER);
    browser.awaitFocus("dialog input", "");
    browser.press("the broker is back", Keys.ENTER);
    browser.see(".notice", "Resumed.");
    assertThat(shown.acts("resume-destination", "the broker is back")).isNotEmpty();
  }

  @Test
  void producerThatIsAwayIsFoundAndAskedByMouse() {
    // given
    VISIT.open("");
    browser.click("nav a", "Half messages");
    browser.click("main .choice button", "Undecided");
    browser.see("main", "Every half message is decided"); // none is older than ten minutes
    VISIT.open("?page=half&list=undecided&age=any");
    browser.see("main tr[data-row]", "connection refused: refunds.example.com:8080");
    browser.screenshot("journey-9-undecided");

    // when
    browser.click("main tr[data-row]:has(bdi[title*='refunds.example.com']) button", "Ask now");

    // then
    browser.see("dialog .pill", "no answer");
    browser.see("dialog blockquote", "connection refused: refunds.example.com:8080");
    browser.screenshot("journey-9-ask");
    browser.click("dialog footer button.primary", "Close");
  }

  @Test
  void producerThatIsAwayIsFoundAndAskedByKeyboard() {
    VISIT.open("?page=half&list=undecided&age=any");
    browser.stepTo("connection refused: refunds.example.com:8080");

    browser.tabTo("main tr[data-row] button", "Ask now");
    browser.press(Keys.ENTER);

    browser.see("dialog blockquote", "connection refused: refunds.example.com:8080");
    browser.press(Keys.ESCAPE);
    browser.seeCount("dialog[open]", 0);
  }

  /** An operation for each of two causes; the database goes away between them. */
  @Test
  void causeThatCouldNotBeBegunWithOthersIsBegunByConfirmingAgain() {
    // given
    VISIT.open("?page=dead");
    browser.run(
        """
        const send = window.fetch;
        let begun = 0;
        window.fetch = (url, how) => how?.method !== 'PUT' || ++begun !== 2 ? send(url, how)
          : Promise.resolve(new Response('{"code":"DATABASE_AWAY","detail":"planted"}', { status: 503 }));
        """);
    browser.click("main tr[data-row]:nth-child(2) .tick-box", "");
    browser.click("main tr[data-row]:nth-child(3) .tick-box", "");
    browser.click(".bar button", "Discard");
    browser.type("dialog input[data-focus]", "nobody needs them, INC-4740");
    browser.click("dialog footer button.danger-primary", "Discard");
    browser.see("dialog .warning", "1 of 2 operations have begun and go on.");
    browser.screenshot("journey-10-partly");

    // when
    browser.click("dialog footer button.danger-primary", "Discard");
    browser.see("dialog h2", "Discarding");
    browser.click("dialog footer button", "Stop");

    // then
    browser.see("dialog", "The rest is unchanged.");
    browser.click("dialog footer button.primary", "Close");
    assertThat(shown.acts("begin-operation", "nobody needs them, INC-4740")).hasSize(2);
    assertThat(shown.acts("cancel-operation", "nobody needs them, INC-4740")).hasSize(2);
  }

  /** The payload is not asked for in the stage that the message has left, which would complain. */
  @Test
  void deadLetterIsRequeuedOnItsOwnPage() {
    VISIT.open("?page=dead&view=list&destination=http:stock");
    browser.click("main tr[data-row]:nth-child(1) a[data-open]", "");
    VISIT.awaitContent();

    browser.click("main .acts button", "Requeue");
    browser.type("dialog input[data-focus]", "the shelf is free again");
    browser.click("dialog footer button.primary", "Requeue");

    browser.see(".notice", "1 dead letter is on its way again.");
    browser.seeNo("main .pill", "Dead");
    VISIT.awaitContent();
  }

  @Test
  void parcelsThatAReconciliationMissesAreSentAgainByKeyboard() {
    // given
    VISIT.open("");
    browser.press("g", "n");
    browser.stepTo("12");
    browser.press(Keys.ENTER);
    browser.seeCount("main .key-list li", LostParcels.LOST);

    // when
    browser.tabTo("main button.primary", "Send 12 missing again");
    browser.press(Keys.ENTER);
    browser.awaitFocus("dialog input[type=text]", "");
    browser.press("acknowledged without processing, by keys", Keys.ENTER);

    // then
    browser.see(".notice", "12 of 12 missing messages are sent again.");
    assertThat(shown.acts("sendMissing", "acknowledged without processing, by keys")).hasSize(1);
  }
}
