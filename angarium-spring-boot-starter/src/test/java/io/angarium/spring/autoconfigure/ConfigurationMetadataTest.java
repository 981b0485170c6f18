package io.angarium.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
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
import io.angarium.spring.autoconfigure.internal.mapping.ReceiptsMapping;
import io.angarium.spring.autoconfigure.internal.mapping.RedisMapping;
import io.angarium.spring.autoconfigure.internal.mapping.RocketMapping;
import io.angarium.spring.settings.AngariumProperties;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/** The defaults stand in the config records; what is shown to people must say the same. */
class ConfigurationMetadataTest {
  private static final Path PAGE = Path.of("..", "docs", "configuration.md");
  private static final String METADATA = "/META-INF/spring-configuration-metadata.json";

  private final Map<String, JsonNode> metadata = metadata();

  @Test
  void defaultsShownAreThoseOfTheConfigRecords() {
    Map<String, String> shown = new LinkedHashMap<>();
    metadata.forEach(
        (name, property) -> {
          if (property.has("defaultValue")) {
            shown.put(name, property.get("defaultValue").asText());
          }
        });

    assertThat(configs(bind(shown))).isEqualTo(configs(bind(Map.of("angarium.enabled", "true"))));
    assertThat(shown).hasSizeGreaterThan(55);
  }

  @Test
  void everyPropertyIsDescribedAndHasADefaultOrSaysWhatHappensWithoutOne() {
    assertThat(metadata)
        .allSatisfy(
            (name, property) -> {
              String description = property.path("description").asText();
              assertThat(description).as(name).endsWith(".");
              if (!property.has("defaultValue")) {
                assertThat(description)
                    .as(name)
                    .containsAnyOf("By default", "Needed only", "Further");
              }
            });
  }

  @Test
  void pageListsEveryProperty() throws IOException {
    String page = Files.readString(PAGE);

    assertThat(metadata.keySet())
        .allSatisfy(
            name -> assertThat(page).containsAnyOf("| `" + name + "` |", "| `" + name + ".*` |"));
  }

  /** They are in no metadata, as the names of tasks are in theirs. */
  @Test
  void pageListsEveryPropertyOfATask() throws IOException {
    String page = Files.readString(PAGE);

    assertThat(AngariumProperties.ReconciliationTask.class.getRecordComponents())
        .extracting(part -> part.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT))
        .allSatisfy(
            name -> assertThat(page).contains("| `angarium.reconciliation.tasks.<name>." + name));
  }

  private static final RabbitDefaults RABBIT =
      new RabbitDefaults("a:5672", false, null, null, null, null, null, List.of());

  private static AngariumProperties bind(Map<String, String> properties) {
    return new Binder(new MapConfigurationPropertySource(properties))
        .bind("angarium", AngariumProperties.class)
        .get();
  }

  private static List<Object> configs(AngariumProperties properties) {
    return List.of(
        properties.enabled(),
        properties.relay().enabled(),
        properties.kafka().enabled(),
        properties.rabbitmq().enabled(),
        properties.rocketmq().enabled(),
        properties.http().enabled(),
        properties.metrics().enabled(),
        PropertyMapping.limits(properties),
        PropertyMapping.jdbc(properties),
        PropertyMapping.relay(properties, "node"),
        PropertyMapping.backoff(properties.retry()),
        PropertyMapping.policy(properties).onDead(),
        PropertyMapping.circuit(properties.circuit()),
        KafkaMapping.kafka(
            properties.kafka(),
            new KafkaDefaults("localhost:9092", false, Map.of(), null, false, List.of())),
        RabbitMapping.rabbit(properties.rabbitmq(), RABBIT),
        properties.rocketmq().transactions().enabled(),
        RocketMapping.transactions(
            properties.rocketmq(), RocketMapping.rocket(properties.rocketmq(), "a:9876")),
        http(properties.http()),
        PropertyMapping.cloudEvents(properties),
        properties.confirmation().destinations(),
        ReceiptsMapping.group(properties.confirmation(), null),
        PropertyMapping.confirmation(properties.confirmation()),
        properties.reconciliation(),
        properties.retention().enabled(),
        PropertyMapping.retention(properties.retention()),
        properties.inbox().enabled(),
        properties.inbox().rotation(),
        PropertyMapping.inbox(properties),
        properties.inbox().redis().enabled(),
        RedisMapping.inbox(properties.inbox().redis()),
        properties.handler().enabled(),
        PropertyMapping.handler(properties.handler()),
        properties.half().enabled(),
        properties.half().check().enabled(),
        properties.half().checkBackEndpoint(),
        properties.half().check().markers(),
        properties.half().check().allowedHosts(),
        PropertyMapping.checkBack(properties.half().check()),
        halfServer(properties.half().http()),
        HalfGrpcMapping.calls(properties.half().grpc(), MessageLimits.DEFAULTS, null),
        HalfDubboMapping.server(dubboServer(properties.half().dubbo()), null),
        MetricsMapping.metrics(properties.metrics()));
  }

  private static Object halfServer(AngariumProperties.HalfHttp given) {
    return HalfMapping.server(
        new AngariumProperties.HalfHttp(
            "http://centre.example", null, given.connectTimeout(), given.timeout()),
        null);
  }

  private static AngariumProperties.HalfDubbo dubboServer(AngariumProperties.HalfDubbo given) {
    return new AngariumProperties.HalfDubbo(
        "dubbo://centre.example",
        null,
        given.application(),
        given.connectTimeout(),
        given.timeout());
  }

  /** With a hook: without one there is nothing to configure. */
  private static Object http(AngariumProperties.Http given) {
    Map<String, AngariumProperties.Hook> hooks =
        Map.of(
            "h",
            new AngariumProperties.Hook("https://h.example/", List.of(), Map.of(), null, false));
    return HttpMapping.http(
        new AngariumProperties.Http(
            given.enabled(),
            given.source(),
            given.type(),
            given.contentType(),
            hooks,
            given.allowedHosts(),
            given.connectTimeout(),
            given.timeout(),
            given.holdMax(),
            given.retryAfterMax(),
            given.inFlightPerHook(),
            given.inFlight(),
            given.waiting()));
  }

  /** Without those that the processor adds for the Actuator endpoint: they are Spring Boot's. */
  private static Map<String, JsonNode> metadata() {
    try (InputStream json = ConfigurationMetadataTest.class.getResourceAsStream(METADATA)) {
      assertThat(json).as(METADATA + ", made by the annotation processor").isNotNull();
      Map<String, JsonNode> properties = new TreeMap<>();
      new ObjectMapper()
          .readTree(json)
          .get("properties")
          .forEach(property -> properties.put(property.get("name").asText(), property));
      properties.keySet().removeIf(name -> name.startsWith("management.endpoint."));
      return properties;
    } catch (IOException e) {
      throw new IllegalStateException("Failed reading " + METADATA, e);
    }
  }
}
