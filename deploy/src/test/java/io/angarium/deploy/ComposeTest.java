package io.angarium.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ComposeTest {
  /** Of the specification of Compose, those that are used. */
  private static final Set<String> KEYS =
      Set.of(
          "image",
          "depends_on",
          "ports",
          "environment",
          "healthcheck",
          "mem_limit",
          "read_only",
          "tmpfs",
          "cap_drop",
          "security_opt",
          "stop_grace_period",
          "restart",
          "hostname",
          "volumes");

  private final JsonNode compose = read();

  private static JsonNode read() {
    try {
      return new ObjectMapper(new YAMLFactory()).readTree(Path.of("compose.yaml").toFile());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> texts(JsonNode node) {
    List<String> texts = new ArrayList<>();
    node.forEach(each -> texts.add(each.asText()));
    return texts;
  }

  @Test
  void servicesHaveKeysOfComposeAndAFixedImageEach() {
    assertThat(compose.path("services")).hasSize(3);
    compose
        .path("services")
        .forEach(
            service -> {
              assertThat(service.fieldNames()).toIterable().isSubsetOf(KEYS);
              assertThat(service.path("image").asText()).matches(".*:.*\\d.*");
              assertThat(service.has("healthcheck")).isTrue();
            });
  }

  @Test
  void serverIsTheImageAndIsKilledAfterTheLongestStop() throws IOException {
    JsonNode server = compose.path("services").path("server");

    assertThat(server.path("image").asText()).contains(ServerImage.nameByDefault());
    assertThat(server.path("read_only").asBoolean()).isTrue();
    assertThat(StopTimes.seconds(server.path("stop_grace_period").asText()))
        .isGreaterThanOrEqualTo(StopTimes.longest(StopTimes.delayInTheImage()));
  }

  /** The image has neither a shell nor curl; ServerImageTest runs this command. */
  @Test
  void serverIsAskedWithWhatIsInTheImage() {
    List<String> command =
        texts(compose.path("services").path("server").path("healthcheck").path("test"));

    assertThat(command).startsWith("CMD", ServerImage.entryPoint().get(0)).endsWith("probe");
    assertThat(command).containsAll(ServerImage.entryPoint().subList(3, 5));
    assertThat(command)
        .as("the server's own JDK_JAVA_OPTIONS may choose the collector, and a larger -Xms")
        .contains("-Xms8m")
        .noneMatch(each -> each.contains("GC"));
  }

  @Test
  void passwordsComeFromTheEnvironment() {
    compose
        .path("services")
        .forEach(
            service ->
                service
                    .path("environment")
                    .properties()
                    .forEach(
                        each -> {
                          if (each.getKey().matches(".*(PASS|HASHES).*")) {
                            assertThat(each.getValue().asText()).matches("\\$\\{\\w+:\\?.+}");
                          }
                        }));
  }
}
