package io.angarium.benchmarks.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** Where it was measured and with which versions. Immutable. */
record Machine(Map<String, String> facts) {
  static Machine here() throws IOException {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("revision", revision());
    facts.put("processor", line("/proc/cpuinfo", "model name"));
    facts.put("cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
    facts.put("memory", line("/proc/meminfo", "MemTotal"));
    facts.put("system", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    facts.put("Java", Runtime.version().toString());
    return new Machine(facts);
  }

  /** Of the repository that is measured. */
  private static String revision() throws IOException {
    Path head = Path.of(".git", "HEAD");
    String name = Files.isReadable(head) ? Files.readString(head).strip() : "";
    Path branch = Path.of(".git", name.replace("ref: ", ""));
    String id = Files.isReadable(branch) && !name.isEmpty() ? Files.readString(branch) : name;
    return id.isBlank() || id.startsWith("ref: ") ? "unknown" : id.strip().substring(0, 10);
  }

  private static String line(String file, String name) throws IOException {
    Path path = Path.of(file);
    if (!Files.isReadable(path)) {
      return "unknown";
    }
    return Files.readAllLines(path).stream()
        .filter(line -> line.startsWith(name))
        .map(line -> line.substring(line.indexOf(':') + 1).strip())
        .findFirst()
        .orElse("unknown");
  }

  Machine with(String name, String fact) {
    Map<String, String> more = new LinkedHashMap<>(facts);
    more.put(name, fact);
    return new Machine(more);
  }

  @Override
  public String toString() {
    return facts.entrySet().stream()
        .map(fact -> fact.getKey() + " " + fact.getValue())
        .collect(Collectors.joining(", "));
  }
}
