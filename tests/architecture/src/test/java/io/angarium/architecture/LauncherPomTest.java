package io.angarium.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The launcher of the quickstart has a pom of its own, which uses the same versions. */
class LauncherPomTest {
  private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();
  private static final Path QUICKSTART = ROOT.resolve("examples/quickstart");

  @Test
  void launcherUsesTheVersionsOfTheBuild() throws IOException {
    Map<String, String> build = new TreeMap<>(Pom.read(ROOT, "").properties());
    build.putAll(Pom.read(QUICKSTART, "").properties());
    Map<String, String> launcher = Pom.read(QUICKSTART, "", "application.xml").properties();

    launcher.keySet().removeIf(name -> !name.endsWith(".version"));

    assertThat(launcher).hasSizeGreaterThan(5);
    assertThat(build).containsAllEntriesOf(launcher);
  }

  @Test
  void launcherUsesThePluginsOfTheBuild() throws IOException {
    Map<String, String> build = Pom.read(ROOT, "").pluginVersions();
    Map<String, String> launcher = Pom.read(QUICKSTART, "", "application.xml").pluginVersions();

    assertThat(launcher).hasSize(3);
    assertThat(build).containsAllEntriesOf(launcher);
  }

  @Test
  void launcherLeavesOutWhatTheBuildLeavesOut() throws IOException {
    Map<String, List<String>> build =
        Pom.read(ROOT, "").exclusions("dependencyManagement/dependencies/dependency");
    Map<String, List<String>> launcher =
        Pom.read(QUICKSTART, "", "application.xml")
            .exclusions("profiles/profile/dependencies/dependency");
    launcher.keySet().retainAll(build.keySet());

    assertThat(launcher)
        .containsOnlyKeys("rocketmq-client", "rocketmq-common", "rocketmq-remoting");
    assertThat(launcher)
        .allSatisfy((artifact, left) -> assertThat(left).containsAll(build.get(artifact)));
  }

  /** Else the quickstart fails where the application in the jar does not. */
  @Test
  void launcherHasTheFilesThatTheStarterReads() throws IOException {
    Path folder = ROOT.resolve("angarium-spring-boot-starter/src/main/resources/META-INF");
    String launcher = Files.readString(QUICKSTART.resolve("application.xml"));

    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files.filter(Files::isRegularFile).map(file -> file.getFileName().toString()))
          .filteredOn(name -> !name.endsWith("metadata.json")) // for editors
          .hasSizeGreaterThan(1)
          .allSatisfy(
              name -> assertThat(launcher).contains("<include>META-INF/" + name + "</include>"));
    }
  }

  /** Else it is compiled, and Spring Boot never hears of it. */
  @Test
  void launcherNamesTheConfigurationsThatItCompiles() throws IOException {
    String launcher = Files.readString(QUICKSTART.resolve("application.xml"));
    String imports =
        Files.readString(
            QUICKSTART.resolve(
                "src/launcher/META-INF/spring/org.springframework.boot.autoconfigure.AutoConfiguration.imports"));

    List<String> compiled =
        Pattern.compile("<include>(io/angarium/spring/\\S+AutoConfiguration)\\.java</include>")
            .matcher(launcher)
            .results()
            .map(match -> match.group(1).replace('/', '.'))
            .toList();

    assertThat(compiled).hasSizeGreaterThan(3);
    assertThat(imports.lines()).containsExactlyInAnyOrderElementsOf(compiled);
  }

  /** Else the console's page finds no libraries there. */
  @Test
  void launcherUnpacksTheLibrariesOfTheConsole() throws IOException {
    String console = Files.readString(ROOT.resolve("angarium-console/pom.xml"));
    String launcher = Files.readString(QUICKSTART.resolve("application.xml"));

    assertThat(libraries(launcher)).isEqualTo(libraries(console)).contains("preact", "uplot");
  }

  private static String libraries(String pom) {
    int begin = pom.indexOf("<id>page-libraries</id>");
    return pom.substring(begin, pom.indexOf("</execution>", begin));
  }

  @Test
  void launcherHasTheVersionOfTheBuild() throws IOException {
    String version = Pom.read(ROOT, "").version();

    assertThat(Pom.read(QUICKSTART, "", "launcher.xml").version()).isEqualTo(version);
    assertThat(Pom.read(QUICKSTART, "", "application.xml").version()).isEqualTo(version);
  }
}
