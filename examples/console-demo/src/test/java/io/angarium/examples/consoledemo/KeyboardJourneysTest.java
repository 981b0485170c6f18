package io.angarium.examples.consoledemo;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.desk.AuditQuery;
import io.angarium.desk.MessageFilter;
import io.angarium.desk.Stage;
import io.angarium.examples.consoledemo.scene.ShopTroubles;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.Thorough;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.openqa.selenium.Keys;

/** Each trouble is found from the overview and solved without a mouse. */
@Thorough
@RequiresServer(Server.CHROMIUM)
class KeyboardJourneysTest {
  @RegisterExtension static final Visit VISIT = Visit.withTickets();

  private final Browser browser = VISIT.browser();
  private final Shown shown = new Shown(VISIT.shop().desk());

  @BeforeEach
  void beginAtTheOverview() {
    VISIT.open("");
  }

  /** Goes through the decisions until the right one is chosen; the button says which one it is. */
  private void chooseCommit() {
    browser.seeNo("dialog footer button.primary", "Decide");
    for (String other : List.of("Resume asking", "Roll back")) {
      if (browser.shows("dialog footer button", other)) {
        browser.press(Keys.ARROW_UP);
        browser.seeNo("dialog footer button", other);
      }
    }
  }

  private boolean isSearchedFor(String key) {
    return Boolean.TRUE.equals(
        browser.run(
            "return [...document.querySelectorAll('.filters input')]"
                + ".some((each) => each.value === arguments[0])",
            key));
  }

  @Test
  void tooLargeOrdersAreRequeuedTenFirstAndThenTheRest() {
    // given
    browser.stepTo("is larger than max.message.bytes");
    browser.press(Keys.ENTER);
    browser.see("blockquote", "is larger than max.message.bytes");

    // when
    browser.tabTo("button", "Requeue all 183");
    browser.press(Keys.ENTER);
    browser.see("dialog h2", "Requeue 183 dead letters?");
    browser.awaitFocus("dialog input[type=text]", "");
    browser.press("limit raised, by keys", Keys.ENTER);
    browser.awaitFocus("dialog button", "Requeue the other 173");
    assertThat(shown.dead("max.message.bytes")).isEqualTo(ShopTroubles.TOO_LARGE - 10);
    browser.press(Keys.ENTER);

    // then
    browser.see("dialog .progress-text", "183 of 183 requeued");
    browser.awaitFocus("dialog button", "Close");
    browser.press(Keys.ENTER);
    browser.see("main", "No dead letter has this cause any more.");
    assertThat(shown.dead("max.message.bytes")).isZero();
    assertThat(shown.acts("requeue", "limit raised, by keys")).isNotEmpty();
  }

  @Test
  void messagesOfAMisspeltDestinationAreBuriedWhileItIsPaused() {
    // given
    browser.stepTo("No live node has a transport \"htpp\".");
    browser.press(Keys.ENTER);
    browser.see("main tr[data-row]", "htpp:stock");

    // when
    browser.tabTo("main .page-head button", "Pause");
    browser.press(Keys.ENTER);
    browser.awaitFocus("dialog input", "");
    browser.press("the name is misspelt, INC-4720", Keys.ENTER);
    browser.see("main .line.pause", "No node sends, and nothing is under way");
    browser.tabTo("main button.danger", "Bury " + ShopTroubles.MISSPELT + " waiting");
    browser.press(Keys.ENTER);
    browser.awaitFocus("dialog input", "");
    browser.press("the right ones were sent again, INC-4720", Keys.ENTER);

    // then
    browser.see("dialog .progress-text", ShopTroubles.MISSPELT + " of " + ShopTroubles.MISSPELT);
    browser.press(Keys.ENTER);
    browser.seeCount("dialog[open]", 0);
    assertThat(shown.dead("buried by")).isEqualTo(ShopTroubles.MISSPELT);
  }

  @Test
  void keyThatStandsStillSaysWhatBlocksIt() {
    // given
    browser.stepTo("did not answer within 5s");
    browser.press(Keys.ENTER);
    browser.see("main tr[data-row]", "order-4711");

    // when
    browser.tabTo("main tr[data-row] a", "order-4711");
    browser.press(Keys.ENTER);

    // then
    browser.see("main .warning", "failed and is tried again. 3 messages wait behind it.");
    browser.seeCount("main tr[data-row]", 1 + ShopTroubles.HELD);
  }

  @Test
  void halfMessageThatNobodyDecidesIsCommittedWithAReason() {
    // given
    browser.press("g", "h");
    browser.stepTo("4802");
    browser.tabTo("main tr[data-row] button", "Ask now");
    browser.press(Keys.ENTER);
    browser.see("dialog", "nothing was decided");
    browser.press(Keys.ESCAPE);
    browser.awaitFocus("main tr[data-row] button", "Ask now");

    // when
    browser.press("x");
    browser.tabTo(".bar button", "Decide");
    browser.press(Keys.ENTER);
    browser.awaitFocus("dialog input[type=text]", "");
    browser.press("paid in cash, by keys");
    browser.pressWith(Keys.SHIFT, Keys.TAB);
    browser.press(Keys.SPACE);
    chooseCommit();
    browser.tabTo("dialog footer button", "Commit");
    browser.press(Keys.ENTER);

    // then
    browser.see(".notice", "1 half message committed: it is sent.");
    browser.seeNo("main tr[data-row]", "4802");
    browser.awaitThat(
        "the order in the history",
        () -> !shown.rows(Stage.SENT, Shown.filter(List.of(), "order-4802", null)).isEmpty());
  }

  @Test
  void orderIsFoundByItsKeyAndByItsNumberAndItsPayloadRevealedOnTheRecord() {
    // given
    browser.press("/");
    browser.awaitFocus("#search", "");
    browser.press("business:order/4711", Keys.ENTER);
    browser.see("main tr[data-row]", "order-4711");
    browser.press("/", "order-4711", Keys.ENTER);
    browser.awaitThat("the search by key", () -> isSearchedFor("order-4711"));
    VISIT.awaitContent();
    browser.stepTo("did not answer within 5s");

    // when
    browser.press(Keys.ENTER);
    browser.see(".timeline", "Written to the outbox");
    assertThat(browser.see("main", "90071992547400004711").getText()).doesNotContain("4111 1111");
    browser.tabTo("main button", "Reveal (noted in the audit)");
    browser.press(Keys.ENTER);

    // then
    browser.see("main", "4111 1111 1111 4711");
    String id = shown.ofKey(Stage.RETRYING, "http:stock", "order-4711").id().toString();
    assertThat(shown.desk().audit().page(AuditQuery.ofMessage(id, 10)))
        .anySatisfy(entry -> assertThat(entry.act()).isEqualTo("reveal"));
    browser.press("g", "a");
    browser.see("main tr[data-row]", "payload revealed");
  }

  @Test
  void discardOfFiveIsUndone() {
    // given
    int before = shown.rows(Stage.DEAD, MessageFilter.ALL).size();
    VISIT.open("?page=dead&view=list&destination=http:stock");
    browser.press("j", "x", "j", "x", "j", "x", "j", "x", "j", "x");
    browser.see(".bar", "5 selected");

    // when
    browser.tabTo(".bar button", "Discard");
    browser.press(Keys.ENTER);
    browser.awaitFocus("dialog input[type=text]", "");
    browser.press("a slip of the keys", Keys.ENTER);
    browser.see(".notice", "5 dead letters discarded.");
    browser.tabTo(".notice button", "Undo");
    browser.press(Keys.ENTER);

    // then
    browser.see(".notice", "5 messages restored.");
    assertThat(shown.rows(Stage.DEAD, MessageFilter.ALL)).hasSize(before);
    assertThat(shown.acts("restore", "undo: a slip of the keys")).isNotEmpty();
  }
}
