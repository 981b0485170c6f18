package io.angarium.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the rules do not look at, they cannot find. */
class ReactorTest {
  private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();
  private static final int DEPTH = 5;

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
