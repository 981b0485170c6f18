package io.angarium.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Packages name each other in one direction, for constants and Javadoc, too. */
class ImportsTest {
  @TempDir private Path folder;

  @Test
  void packagesNameEachOtherInOneDirection() throws IOException {
    int read = 0;
    for (Module module : Reactor.published()) {
      Path main = module.folder().resolve("src/main/java");
      if (Files.isDirectory(main)) {
        assertThat(Imports.circle(main)).as(module.name()).isEmpty();
        read++;
      }
    }
    assertThat(read).isGreaterThan(10);
  }

  @Test
  void aCircleOfImportsIsFound() throws IOException {
    write("a/A", "import x.a.b.B;");
    write("a/b/B", "import static x.c.C.NUMBER;");
    write("c/C", "import java.util.List;");
    assertThat(circle()).isEmpty();

    write("c/D", "import x.a.A.Nested;");

    assertThat(circle()).containsExactly("x.a", "x.a.b", "x.c", "x.a");
  }

  @Test
  void aCircleOfLinksIsFound() throws IOException {
    write("a/A", "import x.b.B;");
    write("b/B", "/** See {@code x.a.A}. */");
    assertThat(circle()).isEmpty();

    write("b/Linked", "/** See {@link\n * x.a.A}. */");

    assertThat(circle()).containsExactly("x.a", "x.b", "x.a");
  }

  private List<String> circle() throws IOException {
    return Imports.circle(folder);
  }

  private void write(String type, String imported) throws IOException {
    Path file = folder.resolve("x").resolve(type + ".java");
    Files.createDirectories(file.getParent());
    String name = ("x/" + type.substring(0, type.lastIndexOf('/'))).replace('/', '.');
    Files.writeString(file, "package " + name + ";\n\n" + imported + "\n");
  }
}
