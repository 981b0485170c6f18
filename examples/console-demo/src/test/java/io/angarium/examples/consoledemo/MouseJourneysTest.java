package io.angarium.examples.consoledemo;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.desk.AuditQuery;
import io.angarium.desk.MessageFilter;
import io.angarium.desk.Stage;
import io.angarium.examples.consoledemo.scene.LostParcels;
import io.angarium.examples.consoledemo.scene.ShopTroubles;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.Thorough;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

/** Each trouble is found from the overview and solved with the mouse. */
@Thorough
@RequiresServer(Server.CHROMIUM)
class MouseJourneysTest {
  @RegisterExtension static final Visit VISIT = Visit.withTickets();

  private final Browser browser = VISIT.browser();
  private final Shown shown = new Shown(VISIT.shop().desk());

  @BeforeEach
  void beginAtTheOverview() {
    VISIT.open("");
  }

  @Test
  void tooLargeOrdersAreRequeuedTenFirstAndThenTheRest() {
    // given
    browser.see(".troubles li", "is larger than max.message.bytes");
    browser.see(".troubles li", Integer.toString(ShopTroubles.TOO_LARGE));
    browser.screenshot("journey-1-overview");
    browser.click(".troubles li:has(bdi[title*='max.message.bytes']) a[data-open]", "");
    browser.see("blockquote", "is larger than max.message.bytes");
    browser.screenshot("journey-1-cause");

    // when
    browser.click("button", "Requeue all 183");
    browser.see("dialog h2", "Requeue 183 dead letters?");
    browser.see("dialog", "kafka:orders");
    browser.type("dialog input[type=text]", "limit raised, INC-4711");
    browser.screenshot("journey-1-preview");
    browser.click("dialog button", "Requeue the first 10");
    browser.see("dialog h2", "The first 10 are requeued");
    browser.see("dialog [role=status]", "None of them has died again");
    assertThat(shown.dead("max.message.bytes")).isEqualTo(ShopTroubles.TOO_LARGE - 10);
    browser.click("dialog button", "Requeue the other 173");

    // then
    browser.see("dialog .progress-text", "183 of 183 requeued");
    browser.screenshot("journey-1-result");
    browser.click("dialog footer button", "Close");
    browser.see("main", "No dead letter has this cause any more.");
    assertThat(shown.dead("max.message.bytes")).isZero();
    assertThat(shown.acts("requeue", "limit raised, INC-4711")).isNotEmpty();
  }

  @Test
  void messagesOfAMisspeltDestinationAreBuriedWhileItIsPaused() {
    // given
    browser.see(".troubles li", "No live node has a transport \"htpp\".");
    browser.click(".troubles a[data-open]", "See what can be done");
    browser.see("main tr[data-row]", "htpp:stock");
    browser.see("main .card", "Pause this destination first.");
    browser.screenshot("journey-2-misspelt");

    // when
    browser.click("main .page-head button", "Pause");
    browser.type("dialog input[data-focus]", "the name is misspelt, INC-4720");
    browser.screenshot("journey-2-pause");
    browser.click("dialog footer button.primary", "Pause");
    browser.see("main .line.pause", "No node sends, and nothing is under way");
    browser.screenshot("journey-2-paused");
    browser.click("main button.danger", "Bury " + ShopTroubles.MISSPELT + " waiting");
    browser.see("dialog", "htpp:stock");
    browser.type("dialog input[data-focus]", "the right ones were sent again, INC-4720");
    browser.screenshot("journey-2-bury");
    browser.click("dialog footer button.danger-primary", "Bury");

    // then
    browser.see("dialog .progress-text", ShopTroubles.MISSPELT + " of " + ShopTroubles.MISSPELT);
    browser.click("dialog footer button", "Close");
    assertThat(shown.rows(Stage.WAITING, Shown.filter(List.of("htpp:stock"), null, null)))
        .isEmpty();
    assertThat(shown.dead("buried by")).isEqualTo(ShopTroubles.MISSPELT);
    browser.click("main .line.pause button", "Resume");
    browser.type("dialog input[data-focus]", "done, INC-4720");
    browser.click("dialog footer button.primary", "Resume");
    browser.see(".notice", "Resumed.");
  }

  @Test
  void deadLetterIsCorrectedAndOthersAreRedirected() {
    // given
    VISIT.open("?page=dead&view=list&destination=http:stock");
    browser.click("main tr[data-row]:first-child a[data-open]", "");
    browser.click("main .acts button", "Correct");
    browser.see("dialog h2", "Correct this dead letter and send it again?");
    browser.click("dialog footer button", "Cancel");
    VISIT.open("?page=dead&view=list&destination=http:stock");
    browser.click("main tr[data-row]:nth-child(1) .tick-box", "");
    browser.click(".bar button", "Redirect");

    // when
    browser.click("dialog button", "Edit payload");
    browser.type("dialog textarea", " ");
    browser.type("dialog input.mono", Keys.chord(Keys.CONTROL, "a") + "http:warehouse");
    browser.type("dialog input[data-focus]", "the shelf has moved, INC-4730");
    browser.screenshot("journey-2-correct");
    browser.click("dialog footer button.primary", "Correct and send");

    // then
    browser.see(".notice", "1 of 1 dead letters corrected and on its way.");
    assertThat(shown.acts("correct", "the shelf has moved"))
        .singleElement()
        .satisfies(
            entry ->
                assertThat(entry.details())
                    .isEqualTo("changed destination http:stock to http:warehouse, payload"));

    // and
    VISIT.open("?page=dead&view=list&destination=http:stock");
    browser.click("main tr[data-row]:nth-child(1) .tick-box", "");
    browser.click("main tr[data-row]:nth-child(2) .tick-box", "");
    browser.click(".bar button", "Redirect");
    browser.type("dialog input.mono", "http:warehouse");
    browser.type("dialog input[data-focus]", "these too, INC-4730");
    browser.click("dialog footer button.primary", "Correct and send 2");
    browser.see(".notice", "2 of 2 dead letters corrected and on their way.");
    assertThat(shown.acts("correct", "these too")).hasSize(2);
  }

  /** Keys keep their order, also where it takes several requests. Nothing is redirected here. */
  @Test
  void redirectGoesFromTheOldestToTheNewest() {
    // given
    VISIT.open("?page=dead&view=list&destination=http:stock");
    browser.run(
        """
        const send = window.fetch;
        window.fetch = (url, how) => {
          if (!String(url).endsWith('messages/redirect')) return send(url, how);
          window.asked = JSON.parse(how.body).ids;
          return Promise.resolve(new Response(JSON.stringify({ done: window.asked, notFound: [], refused: {} })));
        };
        """);
    Map<Object, Long> sequences =
        shown.rows(Stage.DEAD, Shown.filter(List.of("http:stock"), null, null)).stream()
            .collect(
                Collectors.toMap(
                    row -> row.id().value().toString(), row -> row.position().sequence()));

    // when
    browser.click("main thead .tick-box", "");
    browser.click(".bar button", "Redirect");
    browser.type("dialog input.mono", "kafka:orders-2");
    browser.type("dialog input[data-focus]", "the topic has moved");
    browser.click("dialog footer button.primary", "Correct and send");
    browser.see(".notice", "dead letters corrected");

    // then
    List<?> asked = (List<?>) browser.run("return window.asked");
    assertThat(asked).hasSizeGreaterThan(10).extracting(sequences::get).isSorted();
  }

  @Test
  void deadLettersOfADestinationAreExported() {
    // given
    VISIT.open("?page=dead&view=list&destination=kafka:orders");
    browser.click("main button", "Export");
    browser.see("dialog h2", "Export these messages?");

    // when
    browser.click("dialog .choice button", "Masked");
    browser.type("dialog input[type=text]", "for the team of the orders, INC-4711");
    browser.screenshot("journey-6-export");
    browser.click("dialog footer button.primary", "Export");

    // then
    browser.see(".notice", "Exported.");
    assertThat(shown.acts("export", "for the team of the orders"))
        .singleElement()
        .satisfies(entry -> assertThat(entry.details()).isEqualTo("as csv, payloads: masked"));
  }

  @Test
  void keyThatStandsStillSaysWhatBlocksIt() {
    // given
    browser.see(".troubles li", "did not answer within 5s");
    browser.click(".troubles li.warn a[data-open]", "Show");

    // when
    browser.click("main tr[data-row] a", "order-4711");

    // then
    browser.see("main .warning", "failed and is tried again. 3 messages wait behind it.");
    browser.seeCount("main tr[data-row]", 1 + ShopTroubles.HELD);
    browser.see("main tr[data-row]:first-child", "did not answer within 5s");
    browser.see("main tr[data-row]:nth-child(2)", "Held");
    browser.screenshot("journey-3-key");
  }

  @Test
  void halfMessageThatNobodyDecidesIsCommittedWithAReason() {
    // given
    browser.see(".troubles li", "The producer could not say whether they are to be sent.");
    browser.click(".troubles a[data-open]", "Decide");
    browser.see("main tr[data-row]", "no order 4801 in this database");
    browser.seeCount("main tr[data-row]", 3);
    browser.screenshot("journey-4-half");

    // when
    browser.click("main tr[data-row]:has([data-open]) button.link", "4801");
    browser.click("main button", "Ask now");
    browser.see("dialog blockquote", "no order 4801 in this database");
    browser.see("dialog", "nothing was decided");
    browser.screenshot("journey-4-ask");
    browser.click("dialog footer button.primary", "Close");
    browser.click("main button", "Decide");
    browser.click("dialog label", "Commit: it is sent");
    browser.type("dialog input[type=text]", "paid according to the bank, INC-4801");
    browser.screenshot("journey-4-decide");
    browser.click("dialog footer button.primary", "Commit");

    // then
    browser.see(".notice", "1 half message committed: it is sent.");
    browser.see("main .pill", "committed");
    browser.see("main", "paid according to the bank, INC-4801");
    browser.awaitThat(
        "the order in the history",
        () -> !shown.rows(Stage.SENT, Shown.filter(List.of(), "order-4801", null)).isEmpty());
  }

  @Test
  void parcelsThatAReconciliationMissesAreSentAgainWithAReason() {
    // given
    browser.click("nav a", "Reconciliation");
    browser.see("main .card", "1 window differs");
    browser.click("main tr[data-row]:has(.pill.bad) a[data-open]", LostParcels.TASK);
    browser.seeCount("main .key-list li", LostParcels.LOST);
    browser.screenshot("journey-7-report");

    // when
    browser.click("main button.primary", "Send 12 missing again");
    browser.type("dialog input[type=text]", "acknowledged without processing, INC-4712");
    browser.screenshot("journey-7-send");
    browser.click("dialog footer button.primary", "Send 12 again");

    // then
    browser.see(".notice", "12 of 12 missing messages are sent again.");
    browser.see("main .pill", "Repaired");
    browser.see("main", "acknowledged without processing, INC-4712");
    assertThat(shown.acts("sendMissing", "acknowledged without processing, INC-4712")).hasSize(1);
  }

  @Test
  void orderIsFoundByItsKeyAndByItsNumberAndItsPayloadRevealedOnTheRecord() {
    // given
    browser.type("#search", "business:order/4711\n");
    browser.see("main tr[data-row]", "order-4711");
    browser.type("#search", "order-4711\n");
    browser.see("main tr[data-row]", "did not answer within 5s");
    browser.awaitThat("both sent ones", () -> browser.text().contains("order-placed"));
    VISIT.awaitContent();
    browser.screenshot("journey-5-search");

    // when
    browser.click("main tr[data-row]:has(.clamp-2) a[data-open]", "");
    browser.see(".timeline", "Written to the outbox");
    browser.see(".timeline", "did not answer within 5s");
    WebElement masked = browser.see("main", "90071992547400004711");
    assertThat(masked.getText()).doesNotContain("4111 1111").contains("masked: ");
    browser.screenshot("journey-5-message");
    browser.click("main button", "Reveal (noted in the audit)");

    // then
    browser.see("main", "4111 1111 1111 4711");
    String id = shown.ofKey(Stage.RETRYING, "http:stock", "order-4711").id().toString();
    assertThat(shown.desk().audit().page(AuditQuery.ofMessage(id, 10)))
        .anySatisfy(entry -> assertThat(entry.act()).isEqualTo("reveal"));
    VISIT.open("?page=audit&target=" + id);
    browser.see("main tr[data-row]", "payload revealed");
    browser.screenshot("journey-5-audit");
  }

  @Test
  void discardOfFiveIsUndone() {
    // given
    int before = shown.rows(Stage.DEAD, MessageFilter.ALL).size();
    VISIT.open("?page=dead&view=list&destination=http:stock");
    for (int row = 1; row <= 5; row++) {
      browser.click("main tr[data-row]:nth-child(" + row + ") .tick-box", "");
    }
    browser.see(".bar", "5 selected");

    // when
    browser.click(".bar button", "Discard");
    browser.see("dialog h2", "Discard 5 dead letters?");
    browser.type("dialog input[type=text]", "a slip");
    browser.click("dialog footer button", "Discard 5");
    browser.see(".notice", "5 dead letters discarded.");
    assertThat(shown.acts("discard", "a slip")).isNotEmpty();
    browser.screenshot("journey-6-discarded");
    browser.click(".notice button", "Undo");

    // then
    browser.see(".notice", "5 messages restored.");
    assertThat(shown.rows(Stage.DEAD, MessageFilter.ALL)).hasSize(before);
    assertThat(shown.acts("restore", "undo: a slip")).isNotEmpty();
  }

  @Test
  void operationGoesOnWhenItsDialogIsClosedAndIsUndoneLater() {
    // given
    int before = shown.rows(Stage.DEAD, MessageFilter.ALL).size();
    List<String> stock = List.of("http:stock");
    int meant = shown.rows(Stage.DEAD, Shown.filter(stock, null, null)).size();
    VISIT.open("?page=dead&view=list&destination=http:stock");

    // when
    browser.click("main button", "Discard all that match");
    browser.type("dialog input[data-focus]", "closed at once");
    browser.click("dialog footer button.danger-primary", "Discard " + meant);
    browser.see("dialog", "a node carries it out");
    browser.screenshot("journey-7-waiting");
    browser.click("dialog footer button", "Close");
    VISIT.open("?page=operations");

    // then
    browser.see("main tr[data-row]:first-child", "closed at once");
    browser.see("main tr[data-row]:first-child", "done");
    browser.see("main tr[data-row]:first-child", meant + " done");
    browser.screenshot("journey-7-operations");
    assertThat(shown.rows(Stage.DEAD, Shown.filter(stock, null, null))).isEmpty();
    browser.click("main tr[data-row]:first-child button", "Undo");
    browser.type("dialog input[data-focus]", "a slip, INC-4733");
    browser.click("dialog footer button.primary", "Undo");
    browser.see(".notice", "The messages are being brought back.");
    browser.see("main tr[data-row]:first-child", "a slip, INC-4733");
    browser.see("main tr[data-row]:first-child", meant + " done");
    assertThat(shown.rows(Stage.DEAD, MessageFilter.ALL)).hasSize(before);
  }
}
