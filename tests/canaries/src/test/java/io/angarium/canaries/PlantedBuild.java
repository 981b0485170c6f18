package io.angarium.canaries;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One Maven build of planted modules under our own parent pom.xml, as it is in the root folder,
 * with the Maven, the JDK and the local repository of the running build.
 */
final class PlantedBuild {
  private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();
  private static final List<String> TAKEN =
      List.of("pom.xml", "checkstyle.xml", ".mvn/jvm.config", "angarium-bom/pom.xml");
  private static final Pattern MODULES = Pattern.compile("(?s)<modules>.*?</modules>");
  private static final String NO_MODULES = "<modules></modules>";

  private final Path folder;
  private final List<PlantedModule> modules;

  PlantedBuild(Path folder, List<PlantedModule> modules) {
    this.folder = folder;
    this.modules = modules;
  }

  /** Builds all modules, going on after failures, and returns what Maven printed. */
  String run() throws IOException, InterruptedException {
    write();
    return MavenCommand.run(command(), folder);
  }

  private void write() throws IOException {
    deleteAll(folder);
    for (String name : TAKEN) {
      Path copy = folder.resolve(name);
      Files.createDirectories(copy.getParent());
      Files.writeString(copy, Files.readString(ROOT.resolve(name)));
    }
    Path pom = folder.resolve("pom.xml");
    // Planted modules have versions of their own and still import our BOM.
    String ours = Files.readString(pom).replace("${project.version}", "0.2.0-SNAPSHOT");
    String none = MODULES.matcher(ours).replaceAll(NO_MODULES);
    Files.writeString(pom, none.replaceFirst(NO_MODULES, moduleList()));
    for (PlantedModule module : modules) {
      module.write(folder);
    }
  }

  /** Deletes a folder with all its content; nothing if there is none. */
  static void deleteAll(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> old = Files.walk(folder)) {
      old.sorted((a, b) -> b.compareTo(a)).forEach(PlantedBuild::delete);
    }
  }

  private static void delete(Path path) {
    try {
      Files.delete(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String moduleList() {
    return Stream.concat(Stream.of("angarium-bom"), modules.stream().map(PlantedModule::folder))
        .map(name -> "<module>" + name + "</module>")
        .collect(Collectors.joining("", "<modules>", "</modules>"));
  }

  private static List<String> command() {
    List<String> command = new ArrayList<>(MavenCommand.start());
    // Offline, what another repository id once downloaded must do as well.
    command.addAll(List.of("-Dmaven.legacyLocalRepo=true", "-o", "-B", "-fae", "verify"));
    return command;
  }
}
