package io.angarium.spring.autoconfigure;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.angarium.spring.settings.AngariumProperties;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.RecordComponent;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;

/** What the metadata in the jar says of the properties. */
final class PropertyMetadata {
  private static final String METADATA = "/META-INF/spring-configuration-metadata.json";
  private static final String TASK = "angarium.reconciliation.tasks.any.";
  private static final Map<String, String> BOXES =
      Map.of("boolean", "java.lang.Boolean", "int", "java.lang.Integer");

  private PropertyMetadata() {}

  /**
   * The properties by their names. Without those that were removed, which have no type, and those
   * that the processor adds for the Actuator endpoint: they are Spring Boot's.
   */
  static Map<String, JsonNode> read() {
    try (InputStream json = PropertyMetadata.class.getResourceAsStream(METADATA)) {
      Map<String, JsonNode> properties = new TreeMap<>();
      new ObjectMapper()
          .readTree(json)
          .get("properties")
          .forEach(property -> properties.put(property.get("name").asText(), property));
      properties.keySet().removeIf(name -> name.startsWith("management.endpoint."));
      properties.values().removeIf(property -> !property.has("type"));
      return properties;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The types of the properties by their names, and of those of a task called {@code any}. */
  static Map<String, String> types() {
    Map<String, String> types = new TreeMap<>();
    read().forEach((name, property) -> types.put(name, property.get("type").asText()));
    for (RecordComponent part : AngariumProperties.ReconciliationTask.class.getRecordComponents()) {
      String type = part.getType().getName();
      types.put(
          TASK + DataObjectPropertyName.toDashedForm(part.getName()),
          BOXES.getOrDefault(type, type));
    }
    return types;
  }
}
