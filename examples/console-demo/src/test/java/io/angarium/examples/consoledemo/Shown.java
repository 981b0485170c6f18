package io.angarium.examples.consoledemo;

import io.angarium.desk.AuditEntry;
import io.angarium.desk.AuditQuery;
import io.angarium.desk.Desk;
import io.angarium.desk.MessageFilter;
import io.angarium.desk.MessageQuery;
import io.angarium.desk.MessageRow;
import io.angarium.desk.Stage;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What is true behind the page: the tests ask the desk, not the page, what became of an act. */
record Shown(Desk desk) {
  private static final int ENTRIES = 50;

  /** The newest messages of a stage. */
  List<MessageRow> rows(Stage stage, MessageFilter filter) {
    return desk.messages()
        .search(MessageQuery.newest(stage, filter, MessageQuery.LIMIT_MAX))
        .rows();
  }

  /** How many dead letters have an error with these words. */
  int dead(String errorHas) {
    return rows(Stage.DEAD, filter(List.of(), null, errorHas)).size();
  }

  /** The newest message of a stage with this key. */
  MessageRow ofKey(Stage stage, String destination, String key) {
    return rows(stage, filter(List.of(destination), key, null)).get(0);
  }

  /** Acts whose reason begins with these words, newest first. */
  List<AuditEntry> acts(String act, String reason) {
    return desk.audit().page(AuditQuery.newest(ENTRIES)).stream()
        .filter(entry -> entry.act().equals(act))
        .filter(entry -> entry.by().decision().reason().startsWith(reason))
        .toList();
  }

  static MessageFilter filter(
      List<String> destinations, @Nullable String key, @Nullable String errorHas) {
    return new MessageFilter(
        destinations, key, Set.of(), null, null, null, null, errorHas, null, null, null, null, 0);
  }
}
