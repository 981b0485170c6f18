package io.angarium.testkit.board;

import static java.util.Comparator.comparing;
import static java.util.Comparator.comparingLong;

import io.angarium.board.BoardView;
import io.angarium.board.MinuteOfDestination;
import io.angarium.board.MinuteQuery;
import io.angarium.board.NodeBoard;
import io.angarium.board.NodeStatus;
import io.angarium.board.Throughput;
import io.angarium.board.ToldStatus;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;

/** A node board in memory. Thread-safe. */
public final class InMemoryNodeBoard implements NodeBoard {
  private final InstantSource clock;
  private final Map<UUID, Told> told = new HashMap<>();
  private final Map<MinuteKey, List<MinuteOfDestination>> minutes = new HashMap<>();

  private record Told(String json, Instant at) {}

  private record MinuteKey(Instant minute, UUID incarnation) {}

  /** Creates an empty board with a clock that stands for that of the database. */
  public InMemoryNodeBoard(InstantSource clock) {
    this.clock = clock;
  }

  @Override
  public synchronized void tell(NodeStatus status) {
    told.put(status.relay().incarnation(), new Told(status.json(), clock.instant()));
  }

  @Override
  public synchronized void tellMinute(UUID incarnation, List<MinuteOfDestination> ofMinute) {
    if (!ofMinute.isEmpty()) {
      minutes.put(new MinuteKey(ofMinute.get(0).minute(), incarnation), List.copyOf(ofMinute));
    }
  }

  @Override
  public synchronized BoardView nodes() {
    return new BoardView(
        told.values().stream()
            .map(each -> new ToldStatus(NodeStatus.parse(each.json()), each.at()))
            .sorted(comparing(ToldStatus::toldAt).reversed())
            .limit(BoardView.NODES_MAX)
            .toList(),
        clock.instant());
  }

  @Override
  public synchronized SortedMap<Instant, Throughput> minutes(MinuteQuery query) {
    long stepSeconds = query.step().toSeconds();
    SortedMap<Instant, Throughput> points = new TreeMap<>();
    for (MinuteOfDestination each : within(query.from(), query.to())) {
      if (query.destinations().isEmpty() || query.destinations().contains(each.destination())) {
        long seconds = each.minute().getEpochSecond();
        Instant point = Instant.ofEpochSecond(seconds - Math.floorMod(seconds, stepSeconds));
        points.merge(point, each.counts(), Throughput::plus);
      }
    }
    return points;
  }

  @Override
  public synchronized Map<String, Throughput> destinations(Instant from, Instant to) {
    Map<String, Throughput> sums = new HashMap<>();
    within(from, to)
        .forEach(each -> sums.merge(each.destination(), each.counts(), Throughput::plus));
    Map<String, Throughput> most = new LinkedHashMap<>();
    sums.entrySet().stream()
        .sorted(
            comparingLong((Map.Entry<String, Throughput> each) -> each.getValue().total())
                .reversed()
                .thenComparing(Map.Entry::getKey))
        .limit(DESTINATIONS_MAX)
        .forEach(each -> most.put(each.getKey(), each.getValue()));
    return most;
  }

  private List<MinuteOfDestination> within(Instant from, Instant to) {
    return minutes.values().stream()
        .flatMap(List::stream)
        .filter(each -> !each.minute().isBefore(from) && each.minute().isBefore(to))
        .toList();
  }
}
