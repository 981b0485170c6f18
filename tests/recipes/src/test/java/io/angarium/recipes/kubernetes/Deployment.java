package io.angarium.recipes.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.yaml.snakeyaml.Yaml;

/** The files of the page, read. Immutable. */
record Deployment(Map<String, Object> pod, Properties application) {
  private static final Path FILES = Path.of("src/test/resources/kubernetes");

  static Deployment read() throws IOException {
    try (Reader yaml = Files.newBufferedReader(FILES.resolve("deployment.yaml"), UTF_8);
        Reader properties =
            Files.newBufferedReader(FILES.resolve("application.properties"), UTF_8)) {
      Map<String, Object> deployment = new Yaml().load(yaml);
      Properties application = new Properties();
      application.load(properties);
      return new Deployment(at(deployment, "spec", "template", "spec"), application);
    }
  }

  Duration gracePeriod() {
    return Duration.ofSeconds((Integer) pod.get("terminationGracePeriodSeconds"));
  }

  Duration preStop() {
    Map<String, Object> sleep = at(container(), "lifecycle", "preStop", "sleep");
    return Duration.ofSeconds((Integer) sleep.get("seconds"));
  }

  /** The path of a probe, e.g. {@code livenessProbe}. */
  String path(String probe) {
    return String.valueOf(at(container(), probe, "httpGet").get("path"));
  }

  @SuppressWarnings("unchecked")
  private Map<String, Object> container() {
    return ((List<Map<String, Object>>) pod.get("containers")).get(0);
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> at(Map<String, Object> yaml, String... path) {
    Map<String, Object> found = yaml;
    for (String name : path) {
      found = (Map<String, Object>) found.get(name);
    }
    return found;
  }
}
