package io.angarium.alert;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLEncoder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a channel tells in one message. Immutable.
 *
 * @param system which system this is, for a person with several, e.g. the name of the application
 * @param list worst first, 1..{@link #MAX}
 * @param more how many further alerts wait for the next message
 * @param link address of the console, or another one with a query or a fragment, which is told as
 *     it is; null if none was given
 */
public record Notices(String system, List<Notice> list, int more, @Nullable String link) {
  /** The most alerts of one message. */
  public static final int MAX = 20;

  /** Longer addresses leave out the subject, since chats do not link them. */
  private static final int ADDRESS_LENGTH_MAX = 400;

  /** Copies the list. */
  public Notices {
    list = List.copyOf(list);
  }

  /** The worst severity of all. */
  public Severity severity() {
    return list.stream()
        .map(notice -> notice.alert().severity())
        .max(Severity::compareTo)
        .orElse(Severity.INFO);
  }

  /** The address of the only alert in the console, or of all alerts; null without a link. */
  public @Nullable String address() {
    return list.size() == 1 && more == 0 ? address(list.get(0)) : below("");
  }

  /** The address of one alert in the console; null without a link. */
  public @Nullable String address(Notice notice) {
    AlertKey key = notice.alert().key();
    if (notice.kind() == Notice.Kind.TEST) {
      return below("");
    }
    String rule = "&rule=" + key.rule();
    String subject = "&subject=" + URLEncoder.encode(key.subject(), UTF_8);
    boolean fits =
        link != null && link.length() + rule.length() + subject.length() <= ADDRESS_LENGTH_MAX;
    return below(fits ? rule + subject : rule);
  }

  private @Nullable String below(String query) {
    return link == null || link.indexOf('?') >= 0 || link.indexOf('#') >= 0
        ? link
        : link + "?page=alerts" + query;
  }
}
