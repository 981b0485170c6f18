package io.angarium.spring.autoconfigure;

import io.angarium.ConfigurationException;
import io.angarium.MessageLimits;
import io.angarium.spring.autoconfigure.internal.details.KafkaDefaults;
import io.angarium.spring.autoconfigure.internal.details.RabbitDefaults;
import io.angarium.spring.autoconfigure.internal.mapping.HalfDubboMapping;
import io.angarium.spring.autoconfigure.internal.mapping.HalfGrpcMapping;
import io.angarium.spring.autoconfigure.internal.mapping.HalfMapping;
import io.angarium.spring.autoconfigure.internal.mapping.HttpMapping;
import io.angarium.spring.autoconfigure.internal.mapping.KafkaMapping;
import io.angarium.spring.autoconfigure.internal.mapping.MetricsMapping;
import io.angarium.spring.autoconfigure.internal.mapping.PropertyMapping;
import io.angarium.spring.autoconfigure.internal.mapping.RabbitMapping;
import io.angarium.spring.autoconfigure.internal.mapping.ReconciliationMapping;
import io.angarium.spring.autoconfigure.internal.mapping.RedisMapping;
import io.angarium.spring.autoconfigure.internal.mapping.RocketMapping;
import io.angarium.spring.settings.AngariumProperties;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.util.unit.DataSize;

/**
 * What the code says of a property when it is tried: its range, from the fault of a value that
 * cannot be, and its default, from what another value takes the place of. So neither is written
 * down a second time. Not for several threads.
 */
final class PropertySurvey {
  /** What a property needs besides so that it is mapped at all. */
  private static final Map<String, String> NEEDED =
      Map.of(
          "angarium.http.hooks.any.url", "https://any.example/",
          "angarium.half.http.server", "http://centre.example",
          "angarium.half.dubbo.server", "dubbo://centre.example",
          "angarium.reconciliation.tasks.any.enabled", "true");

  private static final Pattern RANGE =
      Pattern.compile("^([a-z.-]+): .* \\(expected: ([^.]+(?:\\.\\d+\\w)?)\\.\\.([^.].*)\\)$");

  /** Ends of a range that another property gives; the page names that one. */
  private static final Map<String, String> FIRST =
      Map.of(
          "angarium.retry.max-pause", "first-pause",
          "angarium.half.check.max-pause", "min-pause",
          "angarium.half.check.unreachable-max-pause", "min-pause");

  /** Their defaults come from the application; the page says how. */
  private static final Set<String> FROM_OUTSIDE =
      Set.of(
          "angarium.relay.node",
          "angarium.rabbitmq.username",
          "angarium.rabbitmq.password",
          "angarium.rabbitmq.virtual-host",
          "angarium.rabbitmq.tls");

  private static final List<String> TEXTS = List.of("abc", "a/b", "/abc");
  private static final RabbitDefaults RABBIT =
      new RabbitDefaults("a:5672", false, null, null, null, null, null, List.of());
  private static final KafkaDefaults KAFKA =
      new KafkaDefaults("localhost:9092", false, Map.of(), null, false, List.of());

  private static final List<Function<AngariumProperties, @Nullable Object>> CONFIGS =
      List.of(
          AngariumProperties::enabled,
          properties -> properties.relay().enabled(),
          properties -> properties.kafka().enabled(),
          properties -> properties.rabbitmq().enabled(),
          properties -> properties.rocketmq().enabled(),
          properties -> properties.rocketmq().transactions().enabled(),
          properties -> properties.http().enabled(),
          properties -> properties.metrics().enabled(),
          properties -> properties.retention().enabled(),
          properties -> properties.inbox().enabled(),
          properties -> properties.inbox().rotation(),
          properties -> properties.inbox().redis().enabled(),
          properties -> properties.handler().enabled(),
          properties -> properties.half().enabled(),
          properties -> properties.half().check().enabled(),
          properties -> properties.half().checkBackEndpoint(),
          properties -> properties.confirmation().receiptsEndpoint(),
          properties -> properties.reconciliation().enabled(),
          properties -> properties.reconciliation().tasks().get("any"),
          PropertyMapping::limits,
          PropertyMapping::jdbc,
          properties -> PropertyMapping.partitioning(properties),
          properties -> PropertyMapping.leasing(properties.relay()),
          properties -> PropertyMapping.polling(properties.relay()),
          properties -> PropertyMapping.window(properties.relay()),
          properties -> PropertyMapping.relay(properties, "node"),
          properties -> PropertyMapping.backoff(properties.retry()),
          properties -> PropertyMapping.policy(properties).onDead(),
          properties -> PropertyMapping.circuit(properties.circuit()),
          properties -> KafkaMapping.kafka(properties, KAFKA),
          properties -> RabbitMapping.rabbit(properties.rabbitmq(), RABBIT),
          properties -> RocketMapping.rocket(properties.rocketmq(), "a:9876"),
          properties ->
              RocketMapping.transactions(
                      properties.rocketmq(), RocketMapping.rocket(properties.rocketmq(), "a:9876"))
                  .producerGroup(),
          properties -> HttpMapping.http(properties.http()),
          PropertyMapping::cloudEvents,
          properties -> PropertyMapping.confirmation(properties.confirmation()),
          properties ->
              ReconciliationMapping.config(
                  "any", Objects.requireNonNull(properties.reconciliation().tasks().get("any"))),
          properties -> PropertyMapping.retention(properties.retention()),
          PropertyMapping::inbox,
          properties -> RedisMapping.inbox(properties.inbox().redis()),
          properties -> PropertyMapping.handler(properties.handler()),
          properties -> PropertyMapping.checkBack(properties.half().check()),
          properties -> HalfMapping.server(properties.half().http(), null),
          properties ->
              HalfGrpcMapping.calls(properties.half().grpc(), MessageLimits.DEFAULTS, null),
          properties -> HalfDubboMapping.server(properties.half().dubbo(), null),
          properties -> MetricsMapping.metrics(properties.metrics()));

  private final Map<String, Object> standard = parts(Map.of(), new ArrayList<>());

  /**
   * The default of a property in the form in which it is set, e.g. {@code 5s}.
   *
   * @param name its full name
   * @param type as the metadata tells it
   * @return empty if without the property there is no value, or one of the surroundings
   */
  Optional<String> standard(String name, String type) {
    if (FROM_OUTSIDE.contains(name)) {
      return Optional.empty();
    }
    for (String other : others(name, type)) {
      Map<String, Object> changed = parts(Map.of(name, other), new ArrayList<>());
      Object meant = meant(other, type);
      for (Map.Entry<String, Object> part : changed.entrySet()) {
        Object before = standard.get(part.getKey());
        if (before != null && part.getValue().equals(meant) && !before.equals(meant)) {
          return Optional.of(text(before, type));
        }
      }
    }
    return Optional.empty();
  }

  /** The range of a property, e.g. {@code 1s..1h}; empty if it has none. */
  Optional<String> range(String name, String type) {
    return impossible(type)
        .flatMap(value -> told(name, value))
        .findFirst()
        .map(
            ends ->
                end(FIRST.getOrDefault(name, ends.get(0)), type) + ".." + end(ends.get(1), type));
  }

  private static Stream<String> impossible(String type) {
    if (type.equals(Duration.class.getName())) {
      return Stream.of("-1s", "999999d");
    }
    if (type.equals(DataSize.class.getName())) {
      return Stream.of("-1B");
    }
    return isNumber(type) ? Stream.of("-1", "99999999") : Stream.empty();
  }

  private static boolean isNumber(String type) {
    return type.equals(Integer.class.getName()) || type.equals(Double.class.getName());
  }

  /** The two ends that the fault of a value names. */
  private static Stream<List<String>> told(String name, String value) {
    String own = name.replaceFirst("^angarium\\.(reconciliation)\\.tasks\\.any", "$1");
    List<String> faults = new ArrayList<>();
    parts(Map.of(name, value), faults);
    return faults.stream()
        .map(RANGE::matcher)
        .filter(Matcher::matches)
        .filter(fault -> own.endsWith(fault.group(1)))
        .map(fault -> List.of(fault.group(2), fault.group(3)));
  }

  /**
   * Values that it may have, of which one at least is not its default. The largest comes first, as
   * what follows another property is often bounded above.
   */
  private List<String> others(String name, String type) {
    if (type.equals(Boolean.class.getName())) {
      return List.of("true", "false");
    }
    if (type.equals(String.class.getName())) {
      return TEXTS;
    }
    Class<?> known = known(type);
    if (known != null && known.isEnum()) {
      return Stream.of(known.getEnumConstants())
          .map(each -> text(Objects.requireNonNull(comparable(each)), type))
          .toList();
    }
    return range(name, type)
        .map(range -> range.split("\\.\\."))
        .map(ends -> Stream.of(ends[1], ends[0]))
        .orElse(Stream.empty())
        .filter(end -> end.matches("\\d.*"))
        .toList();
  }

  private static @Nullable Class<?> known(String type) {
    try {
      return Class.forName(type);
    } catch (ClassNotFoundException e) {
      return null; // generic
    }
  }

  private static Object meant(String value, String type) {
    Class<?> known = Objects.requireNonNull(known(type), type);
    return Objects.requireNonNull(
        comparable(ApplicationConversionService.getSharedInstance().convert(value, known)));
  }

  /** A size is in bytes in the config records, an enum perhaps a copy of another module's. */
  private static @Nullable Object comparable(@Nullable Object value) {
    if (value instanceof DataSize size) {
      return size.toBytes();
    }
    if (value instanceof Enum<?> constant) {
      return constant.name();
    }
    return value instanceof Integer number ? Long.valueOf(number) : value;
  }

  /** The values that the properties are mapped to, by their place. Without those that are null. */
  private static Map<String, Object> parts(Map<String, String> properties, List<String> faults) {
    Map<String, Object> parts = new LinkedHashMap<>();
    AngariumProperties bound = bind(properties);
    for (int i = 0; i < CONFIGS.size(); i++) {
      try {
        add(parts, "" + i, CONFIGS.get(i).apply(bound));
      } catch (ConfigurationException e) {
        faults.addAll(e.faults());
      }
    }
    return parts;
  }

  private static void add(Map<String, Object> parts, String place, @Nullable Object value) {
    if (value instanceof Record) {
      for (RecordComponent part : value.getClass().getRecordComponents()) {
        try {
          part.getAccessor().setAccessible(true);
          add(parts, place + "." + part.getName(), part.getAccessor().invoke(value));
        } catch (ReflectiveOperationException e) {
          throw new IllegalStateException(e);
        }
      }
    } else if (value != null) {
      parts.put(place, Objects.requireNonNull(comparable(value)));
    }
  }

  private static AngariumProperties bind(Map<String, String> properties) {
    Map<String, String> all = new LinkedHashMap<>(NEEDED);
    all.putAll(properties);
    return new Binder(new MapConfigurationPropertySource(all))
        .bind("angarium", AngariumProperties.class)
        .get();
  }

  private static String end(String told, String type) {
    if (told.startsWith("PT")) {
      return text(Duration.parse(told), type);
    }
    return type.equals(DataSize.class.getName()) && told.matches("\\d+")
        ? bytes(Long.parseLong(told))
        : told;
  }

  private static String text(Object value, String type) {
    if (value instanceof Duration duration) {
      return text(duration);
    }
    if (type.equals(DataSize.class.getName()) && value instanceof Long bytes) {
      return bytes(bytes);
    }
    Class<?> known = known(type);
    return known != null && known.isEnum()
        ? value.toString().toLowerCase(Locale.ROOT)
        : value.toString();
  }

  private static String text(Duration duration) {
    long millis = duration.toMillis();
    if (millis % 1_000 != 0) {
      return millis + "ms";
    }
    if (millis == 0 || millis % 60_000 != 0) {
      return millis / 1_000 + "s";
    }
    if (millis % 3_600_000 != 0) {
      return millis / 60_000 + "m";
    }
    return millis % 86_400_000 == 0 ? millis / 86_400_000 + "d" : millis / 3_600_000 + "h";
  }

  private static String bytes(long bytes) {
    if (bytes == 0 || bytes % 1_024 != 0) {
      return bytes + "B";
    }
    if (bytes % (1 << 20) != 0) {
      return bytes / 1_024 + "KB";
    }
    return bytes % (1 << 30) == 0 ? (bytes >> 30) + "GB" : (bytes >> 20) + "MB";
  }
}
