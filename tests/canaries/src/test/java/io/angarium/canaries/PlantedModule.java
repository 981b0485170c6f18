package io.angarium.canaries;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A Maven module with one class and at most one fault.
 *
 * @param name its artifact id
 * @param version its version
 * @param settings XML for its pom.xml: properties, dependencies
 * @param source its main class, named {@code Thing}; empty for none
 */
record PlantedModule(String name, String version, String settings, String source) {
  private static final String POM =
      """
      <project xmlns="http://maven.apache.org/POM/4.0.0">
        <modelVersion>4.0.0</modelVersion>
        <parent>
          <groupId>io.angarium</groupId>
          <artifactId>angarium-parent</artifactId>
          <version>0.2.0-SNAPSHOT</version>
        </parent>
        <artifactId>%s</artifactId>
        <version>%s</version>
        %s
      </project>
      """;

  private static final String PACKAGE =
      """
      /** Planted. */
      package io.angarium.planted;
      """;

  static PlantedModule of(String name, String source) {
    return new PlantedModule(name, "1", "", source);
  }

  PlantedModule version(String other) {
    return new PlantedModule(name, other, settings, source);
  }

  PlantedModule property(String key, String value) {
    return with("<properties><%s>%s</%s></properties>".formatted(key, value, key));
  }

  /** Depends on {@code group:artifact} or {@code group:artifact:version}, one or several. */
  PlantedModule dependsOn(String... coordinates) {
    StringBuilder dependencies = new StringBuilder();
    for (String each : coordinates) {
      String[] parts = each.split(":", -1);
      dependencies.append(
          "<dependency><groupId>%s</groupId><artifactId>%s</artifactId>%s</dependency>"
              .formatted(
                  parts[0],
                  parts[1],
                  parts.length > 2 ? "<version>" + parts[2] + "</version>" : ""));
    }
    return with("<dependencies>" + dependencies + "</dependencies>");
  }

  private PlantedModule with(String more) {
    return new PlantedModule(name, version, settings + more, source);
  }

  /** Its folder, which differs from the name for two versions of one module. */
  String folder() {
    return name + "-" + version;
  }

  void write(Path root) throws IOException {
    Path module = Files.createDirectories(root.resolve(folder()));
    Files.writeString(module.resolve("pom.xml"), POM.formatted(name, version, settings));
    if (!source.isEmpty()) {
      Path sources = Files.createDirectories(module.resolve("src/main/java/io/angarium/planted"));
      Files.writeString(sources.resolve("package-info.java"), PACKAGE);
      Files.writeString(sources.resolve("Thing.java"), "package io.angarium.planted;\n\n" + source);
    }
  }
}
