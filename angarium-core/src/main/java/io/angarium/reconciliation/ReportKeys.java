package io.angarium.reconciliation;

import java.util.ArrayList;
import java.util.List;

/**
 * The keys that a report names. Immutable.
 *
 * @param missing keys of the first side that the second lacks, or has less often
 * @param unexpected keys of the second side that the first lacks
 * @param repeated keys that the second side has more often
 * @param complete false if the report had more keys than are kept
 */
public record ReportKeys(
    List<String> missing, List<String> unexpected, List<String> repeated, boolean complete) {
  /** No keys. */
  public static final ReportKeys NONE = new ReportKeys(List.of(), List.of(), List.of(), true);

  /** The most keys of a report that are kept, in all; missing ones come first. */
  public static final int KEPT_MAX = 10_000;

  /** The most characters of them, in all. */
  public static final int CHARACTERS_MAX = 1_000_000;

  /** Takes copies of the lists. */
  public ReportKeys {
    missing = List.copyOf(missing);
    unexpected = List.copyOf(unexpected);
    repeated = List.copyOf(repeated);
  }

  /** The keys of a report that are kept. */
  public static ReportKeys of(Report report) {
    Room room = new Room();
    List<String> missing = room.firstOf(report.missing());
    List<String> unexpected = room.firstOf(report.unexpected());
    List<String> repeated = room.firstOf(report.repeated());
    return new ReportKeys(missing, unexpected, repeated, report.complete() && !room.cut);
  }

  /** How much is kept, over all kinds. */
  private static final class Room {
    private int keys = KEPT_MAX;
    private int characters = CHARACTERS_MAX;
    private boolean cut;

    List<String> firstOf(List<String> all) {
      List<String> first = new ArrayList<>();
      for (String key : all) {
        cut |= keys == 0 || key.length() > characters;
        if (cut) {
          break;
        }
        keys--;
        characters -= key.length();
        first.add(key);
      }
      return first;
    }
  }
}
