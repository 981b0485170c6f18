package io.angarium.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Keeps the documents together: links lead somewhere, both READMEs say the same. */
class DocumentsTest {
  private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();
  private static final int README_LINES_MAX = 250;
  private static final int README_LINE_LENGTH_MAX = 120;
  private static final List<String> NOT_OURS = List.of("target", ".git", ".idea");
  private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");
  private static final Pattern CODE = Pattern.compile("(?s)```.*?```");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");
  private static final Pattern NO_WORD = Pattern.compile("[^\\p{L}\\p{N} _-]");

  private final String english = GuaranteesPage.read(ROOT.resolve("README.md"));
  private final String chinese = GuaranteesPage.read(ROOT.resolve("README.zh-CN.md"));

  @Test
  void everyLinkLeadsSomewhere() throws IOException {
    List<Path> pages = pages(ROOT);

    assertThat(pages).contains(ROOT.resolve("README.md"), ROOT.resolve("docs/how-it-works.md"));
    assertThat(pages.stream().flatMap(DocumentsTest::brokenLinks)).isEmpty();
  }

  @Test
  void aBrokenLinkIsFound(@TempDir Path folder) throws IOException {
    Path page = folder.resolve("page.md");
    Files.writeString(
        page,
        """
        # Good heading: here
        [self](#good-heading-here) [file](page.md#good-heading-here) [web](https://example.org)
        [gone](gone.md) [no part](page.md#elsewhere) [nor here](#there)
        ```
        [code](ignored.md)
        ```
        """);

    assertThat(brokenLinks(page)).containsExactly("gone.md", "page.md#elsewhere", "#there");
  }

  @Test
  void bothReadmesAreShortAndGiveTheSameCommands() {
    List<String> commands = List.of("mvn install -Dquick", "./angarium quickstart", "mvn verify");

    assertThat(english.lines().count()).isLessThanOrEqualTo(README_LINES_MAX);
    assertThat(chinese.lines().count()).isLessThanOrEqualTo(README_LINES_MAX);
    assertThat((english + chinese).lines())
        .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(README_LINE_LENGTH_MAX));
    assertThat(matches("(?m)^```\n(.*)\n```$", english)).isEqualTo(commands);
    assertThat(matches("(?m)^```\n(.*)\n```$", chinese)).isEqualTo(commands);
    assertThat(ROOT.resolve("angarium")).isExecutable();
  }

  @Test
  void bothReadmesHaveTheSamePartsSamplesAndLinks() {
    String links = "]\\((?!README)([^)\\s]+)\\)";

    assertThat(matches("(?m)^(##) ", chinese)).isEqualTo(matches("(?m)^(##) ", english));
    assertThat(matches("(?m)^(\\|)", chinese)).isEqualTo(matches("(?m)^(\\|)", english));
    assertThat(matches("(?m)^(\\*) ", chinese)).isEqualTo(matches("(?m)^(\\*) ", english));
    assertThat(matches("(?s)```(.*?)```", chinese)).isEqualTo(matches("(?s)```(.*?)```", english));
    assertThat(matches(links, chinese.replace(".zh-CN.md)", ".md)")))
        .isEqualTo(matches(links, english.replace(".zh-CN.md)", ".md)")));
  }

  @Test
  void theSampleForPlainJdbcIsCompiled() {
    Path source = Path.of("src/test/java/io/angarium/architecture/Shop.java");
    String sample = matches("(?s)```java\n((?:(?!```).)*class Shop.*?)```", english).get(0);

    assertThat(onOneLine(GuaranteesPage.read(source))).contains(onOneLine(sample));
  }

  @Test
  void theSampleForBusinessDataElsewhereIsCompiled() {
    Path source =
        ROOT.resolve("tests/spring-boot/java/io/angarium/tests/spring/SeveralDataSourcesTest.java");
    String page = GuaranteesPage.read(ROOT.resolve("docs/half-messages.md"));
    String sample = matches("(?s)(class ReportsTransactions .*?)```", page).get(0);

    assertThat(onOneLine(GuaranteesPage.read(source))).contains(onOneLine(sample));
  }

  @Test
  void theFirstJavaSampleOfEachPageHasImports() throws IOException {
    List<Path> pages = pages(ROOT).stream().filter(DocumentsTest::isForUsers).toList();

    assertThat(pages).contains(ROOT.resolve("README.md"), ROOT.resolve("docs/listeners.md"));
    assertThat(pages.stream().filter(DocumentsTest::beginsWithoutImports)).isEmpty();
  }

  @Test
  void aFirstJavaSampleWithoutImportsIsFound(@TempDir Path folder) throws IOException {
    Path page = folder.resolve("page.md");
    String second = "```java\nSecond.run();\n```\n";

    Files.writeString(page, "```java\nimport a.First;\n\nFirst.run();\n```\n" + second);
    boolean found = beginsWithoutImports(page);
    Files.writeString(page, second);

    assertThat(found).isFalse();
    assertThat(beginsWithoutImports(page)).isTrue();
  }

  private static boolean isForUsers(Path page) {
    Path folder = ROOT.relativize(page).getParent();
    return folder == null || folder.equals(Path.of("docs"));
  }

  private static boolean beginsWithoutImports(Path page) {
    List<String> samples = matches("(?s)```java\n(.*?)```", GuaranteesPage.read(page));
    return !samples.isEmpty() && !samples.get(0).startsWith("import ");
  }

  private static String onOneLine(String code) {
    return code.replaceAll("\\s+", "");
  }

  private static List<String> matches(String regex, String text) {
    return Pattern.compile(regex).matcher(text).results().map(found -> found.group(1)).toList();
  }

  private static List<Path> pages(Path root) throws IOException {
    List<Path> pages = new ArrayList<>();
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            boolean ours = !NOT_OURS.contains(folder.getFileName().toString());
            return ours ? FileVisitResult.CONTINUE : FileVisitResult.SKIP_SUBTREE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (file.toString().endsWith(".md")) {
              pages.add(file);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return pages;
  }

  private static Stream<String> brokenLinks(Path page) {
    String prose = CODE.matcher(GuaranteesPage.read(page)).replaceAll("");
    return LINK.matcher(prose)
        .results()
        .map(found -> found.group(1))
        .filter(link -> !link.startsWith("https://"))
        .filter(link -> !leadsSomewhere(page, link));
  }

  private static boolean leadsSomewhere(Path page, String link) {
    int hash = link.indexOf('#');
    String file = hash < 0 ? link : link.substring(0, hash);
    Path target = file.isEmpty() ? page : page.resolveSibling(file).normalize();
    return Files.exists(target) && (hash < 0 || hasHeading(target, link.substring(hash + 1)));
  }

  private static boolean hasHeading(Path page, String anchor) {
    return HEADING
        .matcher(GuaranteesPage.read(page))
        .results()
        .map(found -> NO_WORD.matcher(found.group(1).toLowerCase(Locale.ROOT)))
        .anyMatch(heading -> heading.replaceAll("").replace(' ', '-').equals(anchor));
  }
}
