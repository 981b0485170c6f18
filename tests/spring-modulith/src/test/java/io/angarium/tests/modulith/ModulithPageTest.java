package io.angarium.tests.modulith;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The samples of docs/modulith.md are code of these tests. */
class ModulithPageTest {
  private static final Path ROOT = Path.of("..", "..");
  private static final Pattern SAMPLE = Pattern.compile("(?s)```java\n(.*?)```");

  @Test
  void everySampleIsCompiledAndTested() throws IOException {
    List<String> code =
        Stream.of(
                "tests/spring-modulith/src/main/java/io/angarium/tests/modulith/shop/orders",
                "tests/spring-boot/java/io/angarium/tests/spring")
            .flatMap(folder -> list(ROOT.resolve(folder)))
            .map(ModulithPageTest::code)
            .toList();

    List<String> samples =
        SAMPLE
            .matcher(Files.readString(ROOT.resolve("docs/modulith.md")))
            .results()
            .map(found -> squeeze(found.group(1)))
            .toList();

    assertThat(samples)
        .hasSize(3)
        .allSatisfy(sample -> assertThat(code).anyMatch(each -> each.contains(sample)));
  }

  private static Stream<Path> list(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String code(Path file) {
    try {
      return squeeze(Files.readString(file).replaceAll("(?s)/\\*\\*.*?\\*/", ""));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String squeeze(String text) {
    return text.replaceAll("\\s+", "");
  }
}
