package io.angarium.jdbc.internal.inbox;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** The texts that are run for statements of users, each checked and made once. Thread-safe. */
public final class InboxStatements {
  /** Somebody who writes values into the text has a new one for each message. */
  private static final int REMEMBERED_MAX = 1_000;

  private final Function<InboxStatement, String> form;
  private final Map<String, String> texts = new ConcurrentHashMap<>();

  InboxStatements(Function<InboxStatement, String> form) {
    this.form = form;
  }

  /**
   * What is run.
   *
   * @throws IllegalArgumentException as {@link InboxStatement} does
   */
  public String text(String statement) {
    String known = texts.get(statement);
    if (known != null) {
      return known;
    }
    String text = form.apply(new InboxStatement(statement));
    if (texts.size() < REMEMBERED_MAX) {
      texts.put(statement, text);
    }
    return text;
  }
}
