package io.angarium.examples.consoledemo;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds on a page what must be on none. */
final class PageFaults {
  private static final Set<String> CONTROLS =
      Set.of(
          "button",
          "checkbox",
          "combobox",
          "dialog",
          "DisclosureTriangle",
          "link",
          "listbox",
          "menuitem",
          "radio",
          "searchbox",
          "slider",
          "spinbutton",
          "switch",
          "tab",
          "table",
          "textbox");

  private static final String LAYOUT =
      """
      const faults = [];
      const page = document.documentElement;
      if (page.scrollWidth > page.clientWidth) {
        const wide = [...document.querySelectorAll('body *')]
          .filter((each) => each.getBoundingClientRect().right > page.clientWidth + 1).pop();
        faults.push(`${page.scrollWidth} px wide, at last ${wide?.outerHTML.slice(0, 120)}`);
      }
      for (const each of document.querySelectorAll('button, select, summary, input, a.button')) {
        const box = (each.labels?.[0] ?? each).getBoundingClientRect();
        if (box.width > 0 && each.checkVisibility() && Math.round(box.height) < 24) {
          faults.push(`${Math.round(box.height)} px high: ${each.outerHTML.slice(0, 120)}`);
        }
      }
      return faults;
      """;

  private static final String STATE =
      """
      const faults = [...document.querySelectorAll('[role=alert], .empty.bad, .stale')]
        .filter((each) => each.checkVisibility()).map((each) => `a failure is shown: ${each.innerText}`);
      if (!document.querySelector('h1')) faults.push('no heading');
      if (window.wasHostile) faults.push('a text of a message ran as a script');
      const bare = /(?:^|\\s)(?:page|stage|act|alerts|trouble|tile|audit|half|filter|operation|moment)\\.[a-zA-Z.]+/.exec(document.body.innerText);
      if (bare) faults.push(`a text without words: ${bare[0]}`);
      return faults;
      """;

  private final Browser browser;

  PageFaults(Browser browser) {
    this.browser = browser;
  }

  /** What is too wide or too small at the present width. */
  List<String> ofLayout() {
    return texts(browser.run(LAYOUT));
  }

  /** Failures where content should be. */
  List<String> ofState() {
    return texts(browser.run(STATE));
  }

  /** Controls that a screen reader cannot name. */
  List<String> ofNames() {
    Object nodes = browser.ask("Accessibility.getFullAXTree", Map.of()).get("nodes");
    List<String> faults = new ArrayList<>();
    for (Object each : (List<?>) Objects.requireNonNull(nodes)) {
      Map<?, ?> node = (Map<?, ?>) each;
      String role = value(node.get("role"));
      if (!Boolean.TRUE.equals(node.get("ignored"))
          && CONTROLS.contains(role)
          && value(node.get("name")).isBlank()) {
        faults.add("a " + role + " without a name: " + node.get("properties"));
      }
    }
    return faults;
  }

  private static String value(@Nullable Object part) {
    return part instanceof Map<?, ?> map ? String.valueOf(map.get("value")) : "";
  }

  private static List<String> texts(@Nullable Object list) {
    return ((List<?>) Objects.requireNonNull(list)).stream().map(String::valueOf).toList();
  }
}
