package io.angarium.architecture;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * One module of the build, looked at through its compiled classes.
 *
 * @param name its folder below the root, e.g. {@code angarium-core} or {@code tests/servers}
 * @param folder where it is
 */
record Module(String name, Path folder) {
  boolean published() {
    return name.startsWith("angarium-") && !name.equals("angarium-bom");
  }

  /** The folder of its main classes; empty if it has none. */
  Stream<Path> main() {
    return classes("src/main/java", "target/classes");
  }

  /** The folder of its test classes; empty if it has none. */
  Stream<Path> tests() {
    return classes("src/test/java", "target/test-classes");
  }

  Stream<Path> all() {
    return Stream.concat(main(), tests());
  }

  private Stream<Path> classes(String sources, String output) {
    if (!Files.isDirectory(folder.resolve(sources))) {
      return Stream.empty();
    }
    Path compiled = folder.resolve(output);
    if (!Files.isDirectory(compiled)) {
      throw new IllegalStateException(
          name + " has " + sources + " but no " + output + "; run mvn verify in the root folder");
    }
    return Stream.of(compiled);
  }

  @Override
  public String toString() {
    return name;
  }
}
