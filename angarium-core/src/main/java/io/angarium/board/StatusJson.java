package io.angarium.board;

import io.angarium.Destination;
import io.angarium.relay.settings.CircuitState;
import io.angarium.relay.status.CircuitStatus;
import io.angarium.relay.status.RelayStatus;
import io.angarium.relay.status.RelayStatus.StoreFailure;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The status of a node as JSON. Thread-safe. */
final class StatusJson {
  private StatusJson() {}

  // ---- writing

  static String write(NodeStatus status) {
    List<String> circuits =
        new ArrayList<>(status.relay().circuits().stream().map(StatusJson::circuit).toList());
    List<String> producers =
        new ArrayList<>(status.unreachable().stream().map(StatusJson::producer).toList());
    String text = write(status, circuits, producers);
    while (bytes(text) > NodeStatus.JSON_BYTES_MAX && circuits.size() + producers.size() > 0) {
      List<String> longer = circuits.size() < producers.size() ? producers : circuits;
      longer.remove(longer.size() - 1);
      text = write(status, circuits, producers);
    }
    return text;
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  private static String write(NodeStatus status, List<String> circuits, List<String> producers) {
    RelayStatus relay = status.relay();
    RelayStatus.Rest rest = relay.rest();
    StoreFailure failure = relay.storeFailure();
    return object(
        "node", text(relay.node()),
        "incarnation", text(relay.incarnation()),
        "application", text(status.application()),
        "host", text(status.host()),
        "version", text(status.version()),
        "stopped", status.stopped(),
        "at", text(relay.at()),
        "startedAt", text(relay.startedAt()),
        "rest",
            rest == null
                ? null
                : object("until", text(rest.until()), "reason", text(rest.reason())),
        "partitions", relay.partitions(),
        "inFlight", relay.inFlight(),
        "inFlightMax", relay.inFlightMax(),
        "fault", text(relay.fault()),
        "storeFailure",
            failure == null
                ? null
                : object(
                    "task", text(failure.task()),
                    "text", text(failure.text()),
                    "at", text(failure.at()),
                    "recent", failure.recent()),
        "recent", recent(status),
        "notClosed", relay.notClosed(),
        "circuits", "[" + String.join(",", circuits) + "]",
        "unreachable", "[" + String.join(",", producers) + "]");
  }

  private static String recent(NodeStatus status) {
    Throughput recent = status.recent();
    return object(
        "millis", status.recentTime().toMillis(),
        "failed", recent.failed(),
        "refused", recent.refused(),
        "unavailable", recent.unavailable(),
        "dead", recent.dead(),
        "delays",
            recent.delays().counts().stream()
                .map(String::valueOf)
                .collect(Collectors.joining(",", "[", "]")));
  }

  private static String circuit(CircuitStatus circuit) {
    return object(
        "destination", text(circuit.destination()),
        "state", text(circuit.state()),
        "reason", text(circuit.reason()),
        "since", text(circuit.since()),
        "nextProbe", text(circuit.nextProbe()));
  }

  private static String producer(UnreachableProducer producer) {
    return object(
        "endpoint", text(producer.endpoint()),
        "since", text(producer.since()),
        "reason", text(producer.reason()));
  }

  /** Pairs of names and values, which are JSON already. */
  private static String object(@Nullable Object... pairs) {
    StringBuilder text = new StringBuilder("{");
    for (int i = 0; i < pairs.length; i += 2) {
      text.append(i == 0 ? "\"" : ",\"").append(pairs[i]).append("\":").append(pairs[i + 1]);
    }
    return text.append('}').toString();
  }

  private static @Nullable String text(@Nullable Object value) {
    if (value == null) {
      return null;
    }
    StringBuilder text = new StringBuilder("\"");
    for (char c : value.toString().toCharArray()) {
      if (c == '"' || c == '\\') {
        text.append('\\').append(c);
      } else if (c < ' ' || Character.isSurrogate(c)) { // half a pair is nothing that can be stored
        text.append("\\u%04x".formatted((int) c));
      } else {
        text.append(c);
      }
    }
    return text.append('"').toString();
  }

  // ---- reading

  static NodeStatus read(String json) {
    try {
      return new Part(JsonReader.object(json)).status();
    } catch (ClassCastException | DateTimeException e) {
      throw new IllegalArgumentException("status of a node: " + e.getMessage(), e);
    }
  }

  /** An object that was read. */
  private record Part(Map<String, @Nullable Object> parts) {
    NodeStatus status() {
      Part recent = part("recent");
      return new NodeStatus(
          string("application"),
          string("host"),
          string("version"),
          Boolean.TRUE.equals(parts.get("stopped")),
          relay(),
          recent == null ? Throughput.NONE : recent.throughput(),
          Duration.ofMillis(recent == null ? 0 : recent.number("millis")),
          unreachable());
    }

    private List<UnreachableProducer> unreachable() {
      List<UnreachableProducer> producers = new ArrayList<>();
      for (Object each : list("unreachable")) {
        Part producer = of(each);
        producers.add(
            new UnreachableProducer(
                producer.string("endpoint"),
                Instant.parse(producer.string("since")),
                producer.string("reason")));
      }
      return producers;
    }

    private RelayStatus relay() {
      Part rest = part("rest");
      Part failure = part("storeFailure");
      return new RelayStatus(
          string("node"),
          UUID.fromString(string("incarnation")),
          Instant.parse(string("at")),
          time("startedAt"),
          rest == null
              ? null
              : new RelayStatus.Rest(Instant.parse(rest.string("until")), rest.string("reason")),
          (int) number("partitions"),
          (int) number("inFlight"),
          (int) number("inFlightMax"),
          (int) number("notClosed"),
          circuits(),
          failure == null
              ? null
              : new StoreFailure(
                  failure.string("task"),
                  failure.string("text"),
                  Instant.parse(failure.string("at")),
                  (int) failure.number("recent")),
          (String) parts.get("fault"));
    }

    private Throughput throughput() {
      long[] delays = new long[DelayBuckets.COUNT];
      List<?> read = list("delays");
      for (int i = 0; i < Math.min(delays.length, read.size()); i++) {
        delays[i] = ((Number) read.get(i)).longValue();
      }
      return new Throughput(
          number("failed"),
          number("refused"),
          number("unavailable"),
          number("dead"),
          DelayBuckets.of(delays));
    }

    private List<CircuitStatus> circuits() {
      List<CircuitStatus> circuits = new ArrayList<>();
      for (Object each : list("circuits")) {
        Part circuit = of(each);
        CircuitState state = state(circuit.string("state"));
        if (state != null) {
          circuits.add(
              new CircuitStatus(
                  Destination.parse(circuit.string("destination")),
                  state,
                  circuit.string("reason"),
                  Instant.parse(circuit.string("since")),
                  circuit.time("nextProbe")));
        }
      }
      return circuits;
    }

    /** Null for a state that a newer version added. */
    private static @Nullable CircuitState state(String name) {
      for (CircuitState state : CircuitState.values()) {
        if (state.name().equals(name)) {
          return state;
        }
      }
      return null;
    }

    @SuppressWarnings("unchecked") // the reader makes no other maps
    private static Part of(@Nullable Object value) {
      if (!(value instanceof Map)) {
        throw new IllegalArgumentException("status of a node: no object where one is expected");
      }
      return new Part((Map<String, @Nullable Object>) value);
    }

    private @Nullable Part part(String name) {
      Object value = parts.get(name);
      return value == null ? null : of(value);
    }

    private List<?> list(String name) {
      Object value = parts.get(name);
      return value == null ? List.of() : (List<?>) value;
    }

    private String string(String name) {
      Object value = parts.get(name);
      return value == null ? "" : (String) value;
    }

    private @Nullable Instant time(String name) {
      Object value = parts.get(name);
      return value == null ? null : Instant.parse((String) value);
    }

    private long number(String name) {
      Object value = parts.get(name);
      return value == null ? 0 : ((Number) value).longValue();
    }
  }
}
