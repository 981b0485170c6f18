package io.angarium.console.internal.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PageAssetsTest {
  private static final Path PAGE = Path.of("src/main/resources/angarium/console");
  private static final Pattern HREF = Pattern.compile("(?:href|src)=\"assets/1\\.2/([^\"]+)\"");

  private final PageAssets assets = new PageAssets("1.2");

  @Test
  void everythingThatThePageAsksForIsThere() {
    String page = new String(assets.index().plain(), UTF_8);
    Matcher addresses = HREF.matcher(page);

    int count = 0;
    while (addresses.find()) {
      count++;
      assertThat(assets.file(addresses.group(1))).as(addresses.group(1)).isPresent();
    }

    assertThat(count).isGreaterThan(20);
    assertThat(page).doesNotContain("{{").contains("modulepreload");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "../OperatorConsole.class",
        "pages/../index.html",
        "index.html",
        "vendor/LICENSE-htm.txt",
        "",
        "/main.js",
        "a/b/main.js",
        "none.js"
      })
  void nothingElseIsServed(String name) {
    assertThat(assets.file(name)).isEmpty();
  }

  /** No HTML is built from text: a value of a message could be a script. */
  @Test
  void noModuleMakesHtmlOfText() throws IOException {
    List<Path> modules;
    try (Stream<Path> all = Files.walk(PAGE)) {
      modules = all.filter(file -> file.toString().endsWith(".js")).toList();
    }

    assertThat(modules).hasSizeGreaterThan(20);
    assertThat(modules)
        .allSatisfy(
            module ->
                assertThat(read(module))
                    .doesNotContain(
                        "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(")
                    .doesNotContain("dangerouslySetInnerHTML", "new Function"));
  }

  @Test
  void modulesAreShort() throws IOException {
    try (Stream<Path> all = Files.walk(PAGE)) {
      all.filter(file -> file.toString().endsWith(".js"))
          .forEach(
              module ->
                  assertThat(read(module).lines().count())
                      .as(module.toString())
                      .isLessThanOrEqualTo(300));
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
