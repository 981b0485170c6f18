package io.angarium.canaries;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whoever builds a release from the sources gets the same files, byte by byte. */
@Tag("thorough")
class ReproducibleBuildTest {
  private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();
  private static final Path WORK = Path.of("target", "reproducible").toAbsolutePath();
  private static final int JARS_PER_MODULE = 3; // classes, sources, Javadoc

  @Test
  void twoBuildsInDifferentFoldersMakeTheSameFiles() throws Exception {
    Path first = copy(WORK.resolve("first"));
    Path second = copy(WORK.resolve("elsewhere").resolve("second"));

    build(first);
    build(second);
    Map<String, Path> files = files(first);
    Map<String, Path> again = files(second);

    assertThat(files.keySet()).isEqualTo(again.keySet());
    assertThat(files.keySet().stream().filter(name -> name.endsWith(".jar")))
        .hasSize(JARS_PER_MODULE * modulesWithJars(first));
    for (Map.Entry<String, Path> file : files.entrySet()) {
      assertThat(Files.mismatch(file.getValue(), again.get(file.getKey())))
          .as("%s is the same in both builds", file.getKey())
          .isEqualTo(-1);
    }
  }

  private static void build(Path folder) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(MavenCommand.start());
    command.addAll(List.of("-B", "-ntp", "-Prelease", "-Dquick", "-Dgpg.skip", "package"));
    String output = MavenCommand.run(command, folder);

    assertThat(output).contains("BUILD SUCCESS");
  }

  /** The files of a release: jars and SBOMs. */
  private static Map<String, Path> files(Path folder) throws IOException {
    Map<String, Path> found = new TreeMap<>();
    try (Stream<Path> all = Files.walk(folder)) {
      all.filter(file -> file.toString().matches(".*/target/([^/]*\\.jar|bom\\.(json|xml))"))
          .forEach(file -> found.put(folder.relativize(file).toString(), file));
    }
    return found;
  }

  private static int modulesWithJars(Path folder) throws IOException {
    try (Stream<Path> modules = Files.list(folder)) {
      return (int) modules.filter(module -> Files.isDirectory(module.resolve("src/main"))).count();
    }
  }

  /** Copies what the published modules are built from. */
  private static Path copy(Path folder) throws IOException {
    PlantedBuild.deleteAll(folder);
    String pom = Files.readString(ROOT.resolve("pom.xml"));
    try (Stream<Path> all = Files.walk(ROOT)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        String name = ROOT.relativize(file).toString();
        if (isSource(name, pom)) {
          Path target = folder.resolve(name);
          Files.createDirectories(target.getParent());
          Files.copy(file, target, StandardCopyOption.REPLACE_EXISTING);
        }
      }
    }
    return folder;
  }

  private static boolean isSource(String name, String pom) {
    if (name.equals("pom.xml") || name.startsWith(".mvn/")) {
      return true;
    }
    String module = name.substring(0, Math.max(0, name.indexOf('/')));
    String published = pom.substring(0, pom.indexOf("</modules>"));
    return published.contains("<module>" + module + "</module>")
        && (name.equals(module + "/pom.xml") || name.startsWith(module + "/src/main/"));
  }
}
