package io.angarium.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.angarium.spring.autoconfigure.internal.check.RemovedProperties;
import io.angarium.spring.autoconfigure.internal.check.RemovedProperties.Removed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What an editor shows of the properties is generated from the code. */
class ConfigurationMetadataTest {
  private static final Path GENERATED =
      Path.of("src/main/resources/META-INF/additional-spring-configuration-metadata.json");

  private final Map<String, JsonNode> metadata = PropertyMetadata.read();
  private final ObjectMapper mapper = new ObjectMapper();

  @Test
  void defaultsAndWhatWasRemovedAreThoseOfTheCode() throws IOException {
    String generated = generated();

    if (Boolean.getBoolean("angarium.docs.write")) {
      Files.writeString(GENERATED, generated);
    }

    assertThat(GENERATED)
        .as("run this test with -Dangarium.docs.write=true to write the file anew")
        .hasContent(generated);
    assertThat(generated.lines().filter(line -> line.contains("defaultValue")))
        .hasSizeGreaterThan(90);
  }

  private String generated() {
    PropertySurvey survey = new PropertySurvey();
    Map<String, ObjectNode> all = new TreeMap<>();
    metadata.forEach(
        (name, property) -> {
          String type = property.get("type").asText();
          survey
              .standard(name, type)
              .ifPresent(value -> all.put(name, property(name).set("defaultValue", json(value))));
        });
    removed()
        .forEach(
            (name, gone) -> {
              ObjectNode deprecation =
                  mapper
                      .createObjectNode()
                      .put("level", "error")
                      .put("reason", "Now " + gone.instead() + ".")
                      .put("since", gone.since());
              all.put(name, property(name).set("deprecation", deprecation));
            });
    ArrayNode properties = mapper.createArrayNode();
    properties.addAll(all.values());
    return mapper.createObjectNode().<ObjectNode>set("properties", properties).toPrettyString()
        + "\n";
  }

  private ObjectNode property(String name) {
    return mapper.createObjectNode().put("name", name);
  }

  private static JsonNode json(String value) {
    if (value.matches("true|false")) {
      return BooleanNode.valueOf(Boolean.parseBoolean(value));
    }
    if (value.matches("\\d+")) {
      return IntNode.valueOf(Integer.parseInt(value));
    }
    return TextNode.valueOf(value);
  }

  /** Those with a fixed name. */
  private static Map<String, Removed> removed() {
    Map<String, Removed> removed = new TreeMap<>(RemovedProperties.read().all());
    removed.keySet().removeIf(name -> name.contains("*"));
    return removed;
  }

  @Test
  void everyPropertyIsDescribedAndHasADefaultOrSaysWhatHappensWithoutOne() {
    assertThat(metadata)
        .hasSizeGreaterThan(100)
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
  void whatWasRemovedIsNoPropertyAndListedForThoseWhoUpgrade() throws IOException {
    String page = Files.readString(Path.of("..", "UPGRADING.md"));

    assertThat(removed()).hasSizeGreaterThan(30);
    removed()
        .forEach(
            (name, gone) -> {
              String now = gone.instead().split("; ", 2)[0].replaceFirst("^it is ", "");
              assertThat(metadata).doesNotContainKey(name);
              assertThat(page).contains("| `" + name + "` | " + now + " |");
            });
  }
}
