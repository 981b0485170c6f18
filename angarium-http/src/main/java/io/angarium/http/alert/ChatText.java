package io.angarium.http.alert;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.angarium.alert.AlertText;
import io.angarium.alert.Notices;
import io.angarium.internal.OneLine;
import java.net.URI;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Text that a chat shows as it is. Chats differ in how characters are escaped, and some know no
 * escape at all. Therefore each character that could begin markup, a mention or a link is replaced
 * by its full-width form, which a person reads alike.
 */
final class ChatText {
  /** Stands where the end of a text was cut away. */
  static final String CUT = "(the rest is cut off)";

  private static final String ACTIVE = "*`~[]\\#@";
  private static final String ENTITIES = "&<>";
  private static final Pattern MENTION = Pattern.compile("[<>@]");
  private static final int TO_FULL_WIDTH = 0xFEE0;
  private static final Pattern LINK = Pattern.compile("https?://[\\x21-\\x7E]{1,500}");

  private ChatText() {}

  /** The paragraphs of all alerts, without the link. */
  static String of(Notices notices) {
    return harmless(unlinked(notices));
  }

  private static String unlinked(Notices notices) {
    return AlertText.of(new Notices(notices.system(), notices.list(), notices.more(), null));
  }

  /** The paragraphs of all alerts for a chat that reads entities, without the link. */
  static String withEntities(Notices notices) {
    return entities(replaced(unlinked(notices), ACTIVE));
  }

  static String entities(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  /** A text in which nothing is markup, a mention or a link with a scheme. */
  static String harmless(String text) {
    return replaced(text, ACTIVE + ENTITIES);
  }

  /** A word that names something and keeps all characters but those that mention somebody. */
  static String label(String text) {
    return MENTION
        .matcher(OneLine.of(text))
        .replaceAll(found -> Character.toString(found.group().charAt(0) + TO_FULL_WIDTH));
  }

  private static String replaced(String text, String active) {
    StringBuilder safe = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char each = text.charAt(i);
      boolean replace =
          active.indexOf(each) >= 0
              || (each == '_' && !isWithinWord(text, i))
              || (each == ':' && text.startsWith("//", i + 1));
      safe.append(replace ? (char) (each + TO_FULL_WIDTH) : each);
    }
    return safe.toString();
  }

  private static boolean isWithinWord(String text, int at) {
    return at > 0
        && at + 1 < text.length()
        && Character.isLetterOrDigit(text.charAt(at - 1))
        && Character.isLetterOrDigit(text.charAt(at + 1));
  }

  /** The address of the alerts if a chat can link it, with parentheses encoded; else null. */
  static @Nullable String link(Notices notices) {
    return link(notices.address());
  }

  /** An address if a chat can link it, with parentheses encoded; else null. */
  static @Nullable String link(@Nullable String link) {
    if (link == null || !LINK.matcher(link).matches()) {
      return null;
    }
    String encoded =
        link.replace("(", "%28").replace(")", "%29").replace("<", "%3C").replace(">", "%3E");
    try {
      return URI.create(encoded).toASCIIString();
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /** The line with the link as plain text; empty if there is none. */
  static String linkLine(Notices notices) {
    String link = link(notices);
    return link == null ? "" : "\n\nLink: " + link;
  }

  /**
   * Cuts a text at the end of a line so that it fits with its end. It is cut between characters
   * instead if that keeps more than twice as much, as with one very long line.
   *
   * @param end what always stays; left out if it takes more than half of the room
   * @param bytesMax of the result, in UTF-8
   */
  static String cut(String text, String end, int bytesMax) {
    String kept = bytes(end) > bytesMax / 2 ? "" : end;
    if (bytes(text) + bytes(kept) <= bytesMax) {
      return text + kept;
    }
    String mark = "\n" + CUT;
    String start = start(text, bytesMax - bytes(mark) - bytes(kept));
    int lineEnd = text.startsWith("\n", start.length()) ? start.length() : start.lastIndexOf('\n');
    String lines = lineEnd > start.length() / 2 ? start.substring(0, lineEnd) : start;
    return lines.stripTrailing() + mark + kept;
  }

  /** The first characters, as many whole ones as fit. */
  private static String start(String text, int bytesMax) {
    int bytes = 0;
    int at = 0;
    while (at < text.length()) {
      int character = text.codePointAt(at);
      bytes += bytes(Character.toString(character));
      if (bytes > bytesMax) {
        break;
      }
      at += Character.charCount(character);
    }
    return text.substring(0, at);
  }

  private static int bytes(String text) {
    return text.getBytes(UTF_8).length;
  }
}
