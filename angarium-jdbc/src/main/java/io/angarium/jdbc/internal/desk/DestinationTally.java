package io.angarium.jdbc.internal.desk;

import io.angarium.Destination;
import io.angarium.InvalidMessageException;
import io.angarium.desk.DestinationPage;
import io.angarium.desk.DestinationView;
import io.angarium.desk.MessageRow;
import io.angarium.desk.Stage;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Counts messages by destination and stage. Not thread-safe: one thread at a time. */
final class DestinationTally {
  private static final Comparator<DestinationView> MOST_FIRST =
      Comparator.comparingLong(DestinationTally::all)
          .reversed()
          .thenComparing(DestinationView::destination);

  private final Map<String, Counts> counts = new HashMap<>();

  private static final class Counts {
    final Map<Stage, Integer> byStage = new EnumMap<>(Stage.class);
    @Nullable Instant oldest;
    @Nullable String error;
  }

  void add(MessageRow row) {
    Counts of = counts.computeIfAbsent(row.destination(), any -> new Counts());
    of.byStage.merge(row.stage(), 1, Integer::sum);
    if (row.stage() == Stage.RETRYING && row.error() != null) {
      of.error = row.error();
    }
    boolean waits = row.stage() != Stage.DELAYED && row.stage() != Stage.DEAD;
    if (waits && (of.oldest == null || row.createdAt().isBefore(of.oldest))) {
      of.oldest = row.createdAt();
    }
  }

  /**
   * Views of those with most messages.
   *
   * @param transports of each live node that notes them
   */
  List<DestinationView> views(Collection<List<String>> transports) {
    Set<String> reachable = new TreeSet<>();
    transports.forEach(reachable::addAll);
    return counts.entrySet().stream()
        .map(each -> view(each.getKey(), each.getValue(), transports.isEmpty() ? null : reachable))
        .sorted(MOST_FIRST)
        .limit(DestinationPage.DESTINATIONS_MAX)
        .toList();
  }

  private static DestinationView view(
      String destination, Counts of, @Nullable Set<String> reachable) {
    return new DestinationView(
        destination,
        of.byStage.getOrDefault(Stage.WAITING, 0),
        of.byStage.getOrDefault(Stage.DELAYED, 0),
        of.byStage.getOrDefault(Stage.RETRYING, 0),
        of.byStage.getOrDefault(Stage.HELD, 0),
        of.byStage.getOrDefault(Stage.DEAD, 0),
        of.oldest,
        reachable == null || isReachable(destination, reachable),
        of.error);
  }

  /** The default transport has any name. */
  private static boolean isReachable(String destination, Set<String> transports) {
    try {
      String transport = Destination.parse(destination).transport();
      return transport.isEmpty() ? !transports.isEmpty() : transports.contains(transport);
    } catch (InvalidMessageException e) { // written past the API
      return false;
    }
  }

  private static long all(DestinationView view) {
    return view.waiting() + view.delayed() + view.retrying() + view.held() + view.dead();
  }
}
