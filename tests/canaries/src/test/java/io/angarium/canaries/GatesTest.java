package io.angarium.canaries;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Plants one fault per module and expects the gate it is meant for to fail that module. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GatesTest {
  private static final String SPOTLESS = "spotless-maven-plugin:[^ ]*:check";
  private static final String CHECKSTYLE = "maven-checkstyle-plugin:[^ ]*:check";
  private static final String COMPILER = "maven-compiler-plugin:[^ ]*:compile";
  private static final String ENFORCER = "maven-enforcer-plugin:[^ ]*:enforce";
  private static final String ANALYSIS = "maven-dependency-plugin:[^ ]*:analyze-only";

  /**
   * A fault and how the build must answer.
   *
   * @param module has the fault
   * @param goal the goal that must fail, as a regular expression
   * @param message what it must say, as a regular expression
   */
  record Canary(PlantedModule module, String goal, String message) {
    @Override
    public String toString() {
      return module.name();
    }
  }

  private String output = "";

  @BeforeAll
  void build() throws Exception {
    List<PlantedModule> modules =
        Stream.concat(innocent(), canaries().map(Canary::module)).toList();
    output = new PlantedBuild(Path.of("target", "planted").toAbsolutePath(), modules).run();
  }

  @ParameterizedTest
  @MethodSource("canaries")
  void theGateFailsOnThePlantedFault(Canary canary) {
    String module = canary.module().name();

    assertThat(failureOf(module)).containsPattern(canary.goal());
    assertThat(sectionOf(module) + failureOf(module)).containsPattern("(?s)" + canary.message());
  }

  @Test
  void modulesWithoutAFaultPass() {
    assertThat(innocent())
        .allSatisfy(
            module ->
                assertThat(output)
                    .containsPattern(Pattern.quote(module.name()) + " .*SUCCESS \\["));
  }

  /** What Maven reports at its end about one module; all of the output if it did not fail. */
  private String failureOf(String module) {
    Matcher failure =
        Pattern.compile(
                "(?s)\\[ERROR] Failed to execute goal (?:(?!\\[ERROR] Failed to execute goal).)*?"
                    + ("on project " + module + ":.*?")
                    + "(?=\\[ERROR] Failed to execute goal|\\[ERROR] To see the full stack trace)")
            .matcher(output);
    assertThat(failure.find()).as("%s failed\n%s", module, output).isTrue();
    return failure.group();
  }

  /** What Maven prints while it builds one module. */
  private String sectionOf(String module) {
    Matcher section =
        Pattern.compile("(?s)-+< io\\.angarium:" + module + " >-+.*?(?=-< |Reactor Summary)")
            .matcher(output);
    return section.find() ? section.group() : "";
  }

  private static Stream<PlantedModule> innocent() {
    return Stream.of(
        PlantedModule.of(
            "innocent",
            """
            /** A thing. */
            public final class Thing {}
            """),
        PlantedModule.of("library", "").version("1"),
        PlantedModule.of("library", "").version("2"),
        PlantedModule.of("user-of-newer-library", "")
            .property("mdep.analyze.skip", "true")
            .dependsOn("io.angarium:library:2"));
  }

  static Stream<Canary> canaries() {
    return Stream.of(
            toolchain(),
            dependencies(),
            formatAndJavadoc(),
            compilerWarnings(),
            errorProneFindings())
        .flatMap(each -> each);
  }

  private static Stream<Canary> toolchain() {
    return Stream.of(
        new Canary(
            PlantedModule.of("maven-too-old", "").property("maven.version.min", "99"),
            ENFORCER,
            "Angarium is built with Maven 99 or newer; this is Maven [0-9.]+\\. Install"),
        new Canary(
            PlantedModule.of("java-too-old", "").property("java.version.min", "99"),
            ENFORCER,
            "Angarium is built with JDK 99 or newer; this is Java [0-9.]+.* in /.*JAVA_HOME"));
  }

  private static Stream<Canary> dependencies() {
    return Stream.of(
        new Canary(
            PlantedModule.of("older-library-wins", "")
                .dependsOn("io.angarium:library:1", "io.angarium:user-of-newer-library:1"),
            ENFORCER,
            "upper bound.*library:1"),
        new Canary(
            PlantedModule.of(
                    "declared-but-unused",
                    """
                    /** A thing. */
                    public final class Thing {}
                    """)
                .dependsOn("org.jspecify:jspecify"),
            ANALYSIS,
            "Unused declared dependencies found.*jspecify"),
        new Canary(
            PlantedModule.of(
                    "used-but-undeclared",
                    """
                    import org.slf4j.Logger;

                    /** A thing. */
                    public final class Thing {
                      static String name(Logger logger) {
                        return logger.getName();
                      }
                    }
                    """)
                .dependsOn("org.slf4j:slf4j-simple"),
            ANALYSIS,
            "Used undeclared dependencies found.*slf4j-api"));
  }

  private static Stream<Canary> formatAndJavadoc() {
    return Stream.of(
        new Canary(
            PlantedModule.of(
                "badly-formatted",
                """
                /** A thing. */
                public final class Thing
                {
                }
                """),
            SPOTLESS,
            "format violations"),
        new Canary(
            PlantedModule.of(
                "public-without-javadoc",
                """
                public final class Thing {}
                """),
            CHECKSTYLE,
            "1 Checkstyle violation"),
        new Canary(
            PlantedModule.of(
                "marker-left-behind",
                """
                /** A thing. */
                public final class Thing {
                  // %s: think
                }
                """
                    .formatted("TO" + "DO")),
            CHECKSTYLE,
            "1 Checkstyle violation"),
        new Canary(
            PlantedModule.of(
                "method-too-long",
                """
                /** A thing. */
                public final class Thing {
                  static void run() {
                %s  }
                }
                """
                    .formatted("    System.gc();\n".repeat(70))),
            CHECKSTYLE,
            "1 Checkstyle violation"),
        new Canary(
            PlantedModule.of(
                "javadoc-with-broken-link",
                """
                /** A thing like {@link Nothing}. */
                public final class Thing {}
                """),
            COMPILER,
            "reference not found"));
  }

  private static Stream<Canary> compilerWarnings() {
    return Stream.of(
        new Canary(
            PlantedModule.of(
                "raw-type",
                """
                import java.util.List;

                /** A thing. */
                public final class Thing {
                  static int size(List list) {
                    return list.size();
                  }
                }
                """),
            COMPILER,
            "found raw type"),
        new Canary(
            PlantedModule.of(
                "fall-through",
                """
                /** A thing. */
                public final class Thing {
                  static int size(int number) {
                    int size = 0;
                    switch (number) {
                      case 1:
                        size = 2;
                      default:
                        size++;
                    }
                    return size;
                  }
                }
                """),
            COMPILER,
            "possible fall-through"));
  }

  private static Stream<Canary> errorProneFindings() {
    return Stream.of(
        new Canary(
            PlantedModule.of(
                "error-prone-error",
                """
                /** A thing. */
                public final class Thing {
                  static boolean same(int[] left, int[] right) {
                    return left.equals(right);
                  }
                }
                """),
            COMPILER,
            "\\[ArrayEquals]"),
        new Canary(
            PlantedModule.of(
                "error-prone-warning",
                """
                /** A thing. */
                public final class Thing {
                  static byte[] bytes(String text) {
                    return text.getBytes();
                  }
                }
                """),
            COMPILER,
            "\\[DefaultCharset]"),
        new Canary(
            PlantedModule.of(
                    "null-dereferenced",
                    """
                    import org.jspecify.annotations.Nullable;

                    /** A thing. */
                    public final class Thing {
                      static int length(@Nullable String text) {
                        return text.length();
                      }
                    }
                    """)
                .dependsOn("org.jspecify:jspecify"),
            COMPILER,
            "\\[NullAway]"));
  }
}
