package io.angarium.architecture;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is larger than it should be gets smaller only. */
class DebtsTest {
  private static final String KNOWN = "/debts.txt";

  @TempDir private Path folder;

  @Test
  void thereAreNoDebtsButThoseThatAreKnown() throws IOException {
    Map<String, Path> sources = new TreeMap<>();
    for (Module module : Reactor.published()) {
      Path main = module.folder().resolve("src/main/java");
      if (Files.isDirectory(main)) {
        sources.put(module.name(), main);
      }
    }

    assertThat(Debts.of(sources, "angarium-core"))
        .as(
            "debts (expected: those of src/test/resources%s; mend what is new or has grown, and"
                + " lower there what has become less)",
            KNOWN)
        .containsExactlyElementsOf(known());
  }

  @Test
  void packageWithTooManyFilesIsCounted() throws IOException {
    write("shop/package-info", "");
    write("shop/StoreTck", "");
    for (int i = 0; i < Debts.FILES_MAX; i++) {
      write("shop/Thing" + i, "final class Thing" + i + " {}");
    }
    assertThat(debts()).isEmpty();

    write("shop/Straw", "final class Straw {}");

    assertThat(debts()).containsExactly("files m shop 26");
  }

  @Test
  void longClassIsCounted() throws IOException {
    write("shop/Short", "\n".repeat(Debts.LINES_MAX));
    write("shop/ShopDialect", "\n".repeat(Debts.DIALECT_LINES_MAX));
    write("shop/ShopSql", "\n".repeat(Debts.DIALECT_LINES_MAX));
    assertThat(debts()).isEmpty();

    write("shop/Long", "\n".repeat(Debts.LINES_MAX + 1));
    write("shop/Sql", "\n".repeat(Debts.LINES_MAX + 1));
    write("shop/LongDialect", "\n".repeat(Debts.DIALECT_LINES_MAX + 1));
    write("shop/LongSql", "\n".repeat(Debts.DIALECT_LINES_MAX + 1));

    assertThat(debts())
        .containsExactly(
            "lines m shop.Long <= 450",
            "lines m shop.LongDialect <= 750",
            "lines m shop.LongSql <= 750",
            "lines m shop.Sql <= 450");
  }

  @Test
  void nameThatTwoModulesHaveIsCounted() throws IOException {
    write("a/x/Thing", "");
    write("b/y/Thing", "");

    assertThat(Debts.of(Map.of("a", folder.resolve("a"), "b", folder.resolve("b")), "a"))
        .containsExactly("name Thing a b");
  }

  @Test
  void publicTypesAreCountedButThoseOfInternals() throws IOException {
    for (int i = 0; i < Debts.PUBLIC_TYPES_MAX; i++) {
      write("p" + i + "/Thing" + i, "public record Thing" + i + "() {}");
    }
    write("shop/Hidden", "final class Hidden {}");
    write("shop/internal/write/Inner", "public final class Inner {}");
    assertThat(debts()).isEmpty();

    write("shop/Straw", "/** The last one. */\npublic sealed interface Straw {}");

    assertThat(debts()).containsExactly("types m 61");
  }

  @Test
  void packageWithABudgetOfItsOwnIsCountedApart() throws IOException {
    for (int i = 0; i < Debts.PACKAGE_TYPES_MAX; i++) {
      write("io/angarium/desk/Thing" + i, "public record Thing" + i + "() {}");
    }
    assertThat(debts()).containsExactly("files m io.angarium.desk 40");

    write("io/angarium/desk/Straw", "public record Straw() {}");

    assertThat(debts()).containsExactly("files m io.angarium.desk 41", "types io.angarium.desk 41");
  }

  @Test
  void wordsThatReadAsTranslatedAreCounted() throws IOException {
    write(
        "shop/Plain",
        """
        /** Sends messages. {@link Other Of which} is a link, and "of which" is no comment. */
        final class Plain { String text = "/** Of those of which. */ // of which"; }
        """);
    write("shop/Forty", "/** " + "word ".repeat(Words.SENTENCE_WORDS_MAX - 1) + "word. More. */");
    assertThat(debts()).hasSize(1).first().isEqualTo("phrasings m 1");

    write(
        "shop/Stilted",
        "/** A list\n * of which one is told of. */\nclass Stilted {} // likewise.");
    write(
        "shop/Fragment",
        "class Fragment {\n  /** Of a message. */\n  int size; // Of no summary\n}");
    write("shop/Long", "// " + "word ".repeat(Words.SENTENCE_WORDS_MAX) + "\n// word word.\n");

    assertThat(debts()).containsExactly("fragments m 1", "phrasings m 4", "sentences m 1");
  }

  private List<String> debts() {
    return Debts.of(Map.of("m", folder), "m");
  }

  private void write(String type, String text) throws IOException {
    Path file = folder.resolve(type + ".java");
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private static List<String> known() throws IOException {
    try (InputStream known = DebtsTest.class.getResourceAsStream(KNOWN)) {
      assertThat(known).as(KNOWN).isNotNull();
      return new String(known.readAllBytes(), UTF_8)
          .lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .toList();
    }
  }
}
