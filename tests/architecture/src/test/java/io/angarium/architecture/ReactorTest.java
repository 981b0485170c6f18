package io.angarium.architecture;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the rules do not look at, they cannot find. */
class ReactorTest {
  private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();
  private static final int DEPTH = 5;
  private static final Pattern ARTIFACT = Pattern.compile("<artifactId>([^<]+)</artifactId>");
  private static final Pattern DEPENDENCY =
      Pattern.compile("<dependency>\\s*<groupId>io\\.angarium</groupId>\\s*" + ARTIFACT.pattern());

  @Test
  void modulesWithinModulesAreCheckedAsWell() throws IOException {
    List<String> checked = Reactor.modules().stream().map(Module::name).toList();

    assertThat(checked).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(folders());
  }

  @Test
  void nothingThatSomebodyWroteIsTakenForGenerated() {
    Path generated = Path.of(Reactor.GENERATED.replace('.', '/'));

    assertThat(Reactor.modules())
        .flatExtracting(
            module ->
                List.of(
                    module.folder().resolve("src/main/java").resolve(generated),
                    module.folder().resolve("src/test/java").resolve(generated)))
        .allSatisfy(folder -> assertThat(folder).doesNotExist());
  }

  @Test
  void everyModuleIsBuiltBeforeTheRulesLookAtItBeItBySeveralThreads() throws IOException {
    Map<String, Set<String>> needs = new HashMap<>();
    for (Module module : Reactor.modules()) {
      String pom = Files.readString(module.folder().resolve("pom.xml"));
      if (!pom.contains("<packaging>pom</packaging>")) {
        needs.put(artifact(pom), needed(pom));
      }
    }
    Set<String> before = new HashSet<>();

    collect("angarium-architecture-tests", needs, before);

    assertThat(before).containsAll(needs.keySet());
  }

  private static void collect(String module, Map<String, Set<String>> needs, Set<String> found) {
    if (needs.containsKey(module) && found.add(module)) {
      needs.get(module).forEach(needed -> collect(needed, needs, found));
    }
  }

  private static String artifact(String pom) {
    String own = pom.substring(pom.indexOf("</parent>"));
    return ARTIFACT.matcher(own).results().map(found -> found.group(1)).findFirst().orElseThrow();
  }

  private static Set<String> needed(String pom) {
    return DEPENDENCY.matcher(pom).results().map(found -> found.group(1)).collect(toSet());
  }

  /** The folders with a pom.xml, but the root and the report, which is built after all tests. */
  private static List<String> folders() throws IOException {
    try (Stream<Path> poms =
        Files.find(ROOT, DEPTH, (path, attributes) -> path.endsWith("pom.xml"))) {
      return poms.map(pom -> ROOT.relativize(pom.getParent()))
          .filter(folder -> !List.of(folder.toString().split("/", -1)).contains("target"))
          .map(Path::toString)
          .filter(folder -> !folder.isEmpty() && !folder.equals("tests/report"))
          .toList();
    }
  }
}
