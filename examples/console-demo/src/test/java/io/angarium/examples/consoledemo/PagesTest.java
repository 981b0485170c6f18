package io.angarium.examples.consoledemo;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.desk.MessageRow;
import io.angarium.desk.Stage;
import io.angarium.examples.consoledemo.scene.HostileTexts;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.Thorough;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every page in both languages, both themes, and from a wide screen to a small telephone. */
@Thorough
@RequiresServer(Server.CHROMIUM)
class PagesTest {
  private static final List<Integer> WIDTHS = List.of(1280, 768, 390, 320);
  private static final String ROW = "main tr[data-row]";

  @RegisterExtension static final Visit VISIT = Visit.withTickets();

  private final Browser browser = VISIT.browser();
  private final PageFaults faults = new PageFaults(browser);

  /** The pages, and what only their content has. */
  enum Shot {
    OVERVIEW("", ".troubles li"),
    WAITING("?page=messages&destination=htpp:stock", ROW),
    DELAYED_MESSAGES("?page=messages&stage=delayed", ROW),
    RETRYING("?page=messages&stage=retrying", ROW),
    HELD("?page=messages&stage=held", ROW),
    DEAD_MESSAGES("?page=messages&stage=dead", ROW),
    SENT("?page=messages&stage=sent", ROW),
    UNCONFIRMED("?page=messages&stage=unconfirmed", ROW),
    DISCARDED("?page=messages&stage=discarded", ROW),
    EVERY("?page=messages&stage=every&key=order-4711", ROW),
    NOTHING("?page=messages&stage=dead&type=no-such-type", ".empty"),
    DEAD("?page=dead", ROW),
    DEAD_LIST("?page=dead&view=list", ROW),
    HOSTILE_LIST("?page=dead&view=list&destination=kafka:notes", ROW),
    DESTINATIONS("?page=destinations", ROW),
    DESTINATION("?page=destinations&destination=http:stock", ROW),
    HALF("?page=half", ROW),
    HALF_UNDECIDED("?page=half&list=undecided&age=any", ROW),
    HALF_ONE("?page=half&business=order-paid&halfKey=4803", ".facts-grid"),
    DELAYED("?page=delayed", ROW),
    CONFIRMATIONS("?page=confirmations", ROW),
    RECONCILIATION("?page=reconciliation", ".windows"),
    REPORT("?page=reconciliation&report={report}", ".key-list"),
    RELAY("?page=relay", ROW),
    ALERTS("?page=alerts", ROW),
    ALERT("?page=alerts&rule=dead-rate&subject=outbox", ROW),
    ALERT_OVER("?page=alerts&rule=node-silent&subject=shop-3a", ROW),
    OPERATIONS("?page=operations", ROW),
    AUDIT("?page=audit", ROW),
    KEY("?page=key&destination=http:stock&key=order-4711", ROW),
    KEY_BLOCKED("?page=key&destination=rabbitmq:shop/invoices&key=customer-2207", ROW),
    MESSAGE("?page=message&id={order}&stage=retrying", ".timeline"),
    MESSAGE_HOSTILE("?page=message&id={hostile}&stage=dead", ".timeline"),
    MESSAGE_LARGE("?page=message&id={large}&stage=dead", ".timeline"),
    MESSAGE_BINARY("?page=message&id={binary}&stage=sent", ".timeline");

    private final String address;
    private final String content;

    Shot(String address, String content) {
      this.address = address;
      this.content = content;
    }
  }

  @ParameterizedTest
  @EnumSource
  void pageIsWholeInEveryForm(Shot shot) {
    List<String> found = new ArrayList<>();
    for (String language : List.of("en", "zh")) {
      browser.run(
          "localStorage.setItem('angarium-console', JSON.stringify({ lang: arguments[0] }))",
          language);
      VISIT.open(withIds(shot.address));
      browser.see(shot.content, "");
      VISIT.awaitContent();
      faults.ofState().forEach(fault -> found.add(language + ": " + fault));
      faults.ofNames().forEach(fault -> found.add(language + ": " + fault));
      for (boolean dark : new boolean[] {false, true}) {
        for (int width : WIDTHS) {
          browser.show(width, dark);
          String form = "%s %s %d px: ".formatted(language, dark ? "dark" : "light", width);
          faults.ofLayout().forEach(fault -> found.add(form + fault));
          shoot(shot, language, dark, width);
        }
      }
      browser.show(WIDTHS.get(0), false);
    }

    assertThat(found).isEmpty();
  }

  /** Two pictures of each page, and the overview at every width. */
  private void shoot(Shot shot, String language, boolean dark, int width) {
    String form = language + (dark ? "-dark-" : "-light-") + width;
    boolean isOverview = shot == Shot.OVERVIEW && dark == language.equals("zh");
    if (isOverview || form.equals("en-light-1280") || form.equals("zh-dark-390")) {
      browser.screenshot(shot.name().toLowerCase(Locale.ROOT).replace('_', '-') + "-" + form);
    }
  }

  private static String withIds(String address) {
    if (!address.contains("{")) {
      return address;
    }
    Shown shown = new Shown(VISIT.shop().desk());
    Map<String, MessageRow> rows =
        Map.of(
            "{order}", shown.ofKey(Stage.RETRYING, "http:stock", "order-4711"),
            "{hostile}", shown.ofKey(Stage.DEAD, "kafka:notes", HostileTexts.HTML),
            "{large}", shown.ofKey(Stage.DEAD, "kafka:orders", "order-30000"),
            "{binary}",
                shown
                    .rows(Stage.SENT, Shown.filter(List.of("rabbitmq:shop/labels"), null, null))
                    .get(0));
    String whole = address.replace("{report}", VISIT.shop().reportOfParcels());
    for (Map.Entry<String, MessageRow> each : rows.entrySet()) {
      String id = URLEncoder.encode(each.getValue().id().toString(), StandardCharsets.UTF_8);
      whole = whole.replace(each.getKey(), id);
    }
    return whole;
  }
}
