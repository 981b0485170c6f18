package io.angarium.recipes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every snippet of a recipe stands in a tested file, line by line. */
class SnippetsTest {
  private static final Path PAGES = Path.of("../../docs/recipes");

  private static final List<Path> TESTED =
      List.of(
          Path.of("src/test"),
          Path.of("../recipes-kotlin/src/test"),
          Path.of("../recipes-kotlin/pom.xml"),
          Path.of("../recipes-ssm/src"),
          Path.of("../recipes-testcontainers/src/test"),
          Path.of("../recipes-testcontainers/pom.xml"));

  /** What tells this build whether a test can run here; no concern of the reader. */
  private static final Pattern OF_THE_BUILD =
      Pattern.compile("@RequiresServer\\(.*\\)|import io\\.angarium\\.testservers\\..*;");

  /** What is in a fence of one of these languages. */
  private static final Pattern SNIPPET =
      Pattern.compile("(?s)```(?:java|kotlin|xml|yaml|properties)\n(.*?)```");

  private static final Pattern TEST_LINK = Pattern.compile("\\((\\.\\./\\.\\./tests/[^)]+)\\)");

  private final List<String> tested = files(TESTED).map(SnippetsTest::lines).toList();

  @Test
  void everySnippetOfARecipeIsTested() {
    List<Path> pages = files(List.of(PAGES)).filter(SnippetsTest::isRecipe).toList();

    assertThat(pages).isNotEmpty();
    assertThat(pages)
        .allSatisfy(
            page -> {
              assertThat(snippets(page)).isNotEmpty();
              assertThat(snippets(page))
                  .allSatisfy(snippet -> assertThat(isTested(snippet)).isTrue());
            });
  }

  @Test
  void everyRecipeLinksToItsTest() {
    List<Path> pages = files(List.of(PAGES)).filter(SnippetsTest::isRecipe).toList();

    assertThat(pages)
        .allSatisfy(
            page ->
                assertThat(TEST_LINK.matcher(read(page)).results().map(link -> link.group(1)))
                    .isNotEmpty()
                    .allSatisfy(link -> assertThat(PAGES.resolve(link)).exists()));
  }

  @Test
  void changedSnippetIsNoticed() {
    String line = "outbox.send(Message.of(\"kafka:sales\", item.getBytes(UTF_8)).key(item));\n";

    assertThat(isTested("    " + line)).isTrue();
    assertThat(isTested(line.replace("sales", "orders"))).isFalse();
  }

  private static boolean isRecipe(Path page) {
    String name = page.getFileName().toString();
    return name.endsWith(".md") && !name.equals("README.md");
  }

  private static List<String> snippets(Path page) {
    return SNIPPET
        .matcher(read(page))
        .results()
        .map((MatchResult found) -> found.group(1))
        .toList();
  }

  private boolean isTested(String snippet) {
    String wanted = lines(snippet);
    return tested.stream().anyMatch(file -> file.contains(wanted));
  }

  private static String lines(Path file) {
    return lines(read(file));
  }

  /** Without indentation, empty lines and what only the build needs: a part of a class will do. */
  private static String lines(String text) {
    return text.lines()
        .map(String::strip)
        .filter(line -> !line.isEmpty() && !OF_THE_BUILD.matcher(line).matches())
        .collect(Collectors.joining("\n", "\n", "\n"));
  }

  private static Stream<Path> files(List<Path> roots) {
    return roots.stream().filter(Files::exists).flatMap(root -> filesBelow(root).stream());
  }

  private static List<Path> filesBelow(Path root) {
    try (Stream<Path> below = Files.walk(root)) {
      return below.filter(Files::isRegularFile).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
