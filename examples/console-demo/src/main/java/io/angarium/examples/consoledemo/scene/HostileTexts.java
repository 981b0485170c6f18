package io.angarium.examples.consoledemo.scene;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Texts that a page must show as text and lay out all the same. */
public final class HostileTexts {
  /** Runs if a page takes it for HTML. */
  public static final String HTML = "<img src=x onerror=\"window.wasHostile=1\">";

  /** Turns the direction of writing around. */
  static final String TURNED = "invoice\u202efdp.exe";

  /** Characters outside of the basic plane, and scripts that few fonts have. */
  static final String RARE =
      "\ud83e\udd84 \ud842\udfb7\u5bb6 \u05e9\u05dc\u05d5\u05dd \u0391\u03b8\u03ae\u03bd\u03b1";

  /** Has no place where a line may break. */
  static final String LONG = "Donaudampfschifffahrtsgesellschaft".repeat(6);

  private HostileTexts() {}

  /** Keys and types of messages. */
  static List<String> all() {
    return List.of(HTML, TURNED, RARE, LONG, "</script><script>alert(1)</script>", "{0} | %s ${x}");
  }

  /** Why a broker refuses the message with this key. */
  static String reason(@Nullable String key) {
    return HTML.equals(key) || LONG.equals(key)
        ? "schema registry says <b>no</b>: " + HTML + " " + LONG
        : "field '" + key + "' is unknown: " + TURNED + " " + RARE;
  }
}
