package io.angarium.architecture;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The modules that the root pom.xml lists and those that they list, but the report, which is built
 * after all tests.
 */
final class Reactor {
  /** Classes that break the rules on purpose, to prove that the rules notice. */
  static final String PLANTED = "io.angarium.architecture.planted..";

  /** What the build generates from .proto files, which nobody wrote. */
  static final String GENERATED = "io.angarium.grpc.v1";

  private static final String REPORT = "tests/report";
  private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();
  private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");

  /** Read once: it takes longer than all rules together. */
  private static final JavaClasses ALL = all();

  private Reactor() {}

  static List<Module> modules() {
    return below(ROOT)
        .map(folder -> new Module(ROOT.relativize(folder).toString(), folder))
        .filter(module -> !module.name().equals(REPORT))
        .toList();
  }

  /** The folders of the modules that the pom.xml in a folder lists, and of those that they list. */
  private static Stream<Path> below(Path folder) {
    try {
      return MODULE
          .matcher(Files.readString(folder.resolve("pom.xml")))
          .results()
          .map((MatchResult found) -> folder.resolve(found.group(1)))
          .flatMap(module -> Stream.concat(Stream.of(module), below(module)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static List<Module> published() {
    return modules().stream().filter(Module::published).toList();
  }

  /** The classes in these folders, except those planted and those generated. */
  static JavaClasses classes(Stream<Path> folders) {
    List<String> prefixes = folders.map(folder -> folder.toUri().toString()).toList();
    return ALL.that(
        DescribedPredicate.describe(
            "in " + prefixes,
            type -> {
              String source = type.getSource().orElseThrow().getUri().toString();
              return prefixes.stream().anyMatch(source::startsWith);
            }));
  }

  private static JavaClasses all() {
    return new ClassFileImporter()
        .importPaths(modules().stream().flatMap(Module::all).toList())
        .that(JavaClass.Predicates.resideOutsideOfPackages(PLANTED, GENERATED));
  }
}
