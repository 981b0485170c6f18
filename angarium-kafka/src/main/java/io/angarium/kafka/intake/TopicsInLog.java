package io.angarium.kafka.intake;

import static java.util.stream.Collectors.joining;

import io.angarium.kafka.intake.HalfIntakeConfig.Records;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Registered topics as a line of the log can hold them, be they many or their names anything. */
final class TopicsInLog {
  private static final int NAME_LENGTH_SHOWN = 249;
  private static final int NAMES_SHOWN = 5;

  private TopicsInLog() {}

  /** What changes from the one to the other. */
  static String difference(Map<String, Records> before, Map<String, Records> now) {
    Map<String, Records> taken = new TreeMap<>(now);
    taken.entrySet().removeAll(before.entrySet());
    Set<String> left = new TreeSet<>(before.keySet());
    left.removeAll(now.keySet());
    return now.size() + " now; new or changed: " + some(taken) + "; left: " + some(left);
  }

  private static String some(Map<String, Records> topics) {
    return some(topics.entrySet().stream().map(String::valueOf).toList());
  }

  /** The first few, and how many more. */
  static String some(Collection<String> names) {
    String first = names.stream().limit(NAMES_SHOWN).collect(joining(", "));
    int more = names.size() - NAMES_SHOWN;
    return more > 0 ? first + " and " + more + " more" : names.isEmpty() ? "none" : first;
  }

  /** A name as somebody wrote it, on one line. */
  static String shown(String topic) {
    String line = topic.replaceAll("\\p{Cntrl}", "?");
    return line.length() > NAME_LENGTH_SHOWN ? line.substring(0, NAME_LENGTH_SHOWN) + "..." : line;
  }
}
