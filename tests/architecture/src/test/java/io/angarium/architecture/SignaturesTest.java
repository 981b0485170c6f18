package io.angarium.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.angarium.architecture.planted.Seen;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The public API changes on purpose only: its signatures are files that a review sees. */
class SignaturesTest {
  private static final Path FOLDER = Path.of("src/test/resources/api");

  /** An application, which nobody compiles against. */
  private static final String SERVER = "angarium-server";

  static Stream<Module> modules() {
    return Reactor.published().stream()
        .filter(module -> !module.name().equals(SERVER))
        .filter(module -> module.main().findAny().isPresent());
  }

  @ParameterizedTest
  @MethodSource("modules")
  void publicApiIsTheOneThatIsWrittenDown(Module module) throws IOException {
    Path file = FOLDER.resolve(module.name() + ".txt");
    List<Path> classes = module.main().toList();

    String signatures = Signatures.of(new ClassFileImporter().importPaths(classes));

    if (Boolean.getBoolean("angarium.docs.write")) {
      Files.createDirectories(FOLDER);
      Files.writeString(file, signatures);
    }
    assertThat(signatures.lines()).hasSizeGreaterThan(1);
    assertThat(file)
        .as(
            "the public API (if it shall change, list that in UPGRADING.md and run this test with"
                + " -Dangarium.docs.write=true)")
        .exists()
        .hasContent(signatures);
  }

  @Test
  void everyFileIsOfAModule() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrderElementsOf(
              modules().map(module -> module.name() + ".txt").toList());
    }
  }

  /** Most of what a caller or an heir could notice; not whether null is allowed. */
  @Test
  void everyPartOfASignatureIsSeen() {
    String signatures =
        Signatures.of(
            new ClassFileImporter()
                .withImportOption(location -> location.contains("/Seen"))
                .importPackages(Seen.class.getPackageName()));

    assertThat(signatures.replace(Seen.class.getName(), "Seen"))
        .isEqualTo(
            """
            abstract class Seen<T extends Number> : java.io.Closeable
              protected abstract take(List<? extends T>, int[]): void throws java.io.IOException
              protected new(String)
              static LIMIT: int
              static of<T extends Number>(Class<T>): List<Seen<T>>
            record Seen$Inner : Comparable<Seen$Inner>
              compareTo(Seen$Inner): int
              name(): String
              new(String)
            enum Seen$Kind
              static ONE: Seen$Kind
            """);
  }
}
