package io.angarium.testservers;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A browser of this machine and the driver that tests steer it with. Nothing is fetched. Immutable.
 *
 * @param browser Chromium, or Chrome
 * @param driver its {@code chromedriver}, of the same version
 */
public record Chromium(Path browser, Path driver) {
  private static final List<String> NAMES =
      List.of("chromium", "chromium-browser", "google-chrome");
  private static final String DRIVER = "chromedriver";

  /**
   * The browser that is installed. It is noted that tests used it.
   *
   * @throws ServerUnavailableException when it cannot be had here; the message says what is missing
   */
  public static Chromium installed() {
    ProgramSource.first(Server.CHROMIUM, sources(), Set.of(Origin.INSTALLED));
    Chromium found = find();
    List<String> command = List.of(found.browser().toString(), "--version");
    String version = Shell.run(Path.of("/"), Duration.ofSeconds(30), command);
    ServerCoverage.used(Server.CHROMIUM, version.replaceAll("[^0-9.]", ""), Origin.INSTALLED);
    return found;
  }

  static List<ProgramSource> sources() {
    return List.of(
        new ProgramSource(
            Origin.INSTALLED,
            () ->
                Programs.of(
                    Origin.INSTALLED, Objects.requireNonNull(find().browser().getParent()))));
  }

  private static Chromium find() {
    Path browser =
        NAMES.stream()
            .flatMap(name -> InstalledPrograms.program(name).stream())
            .findFirst()
            .orElseThrow(
                () ->
                    new ServerUnavailableException(
                        "none of " + NAMES + "; on Debian: apt-get install chromium"));
    return new Chromium(browser, findDriver());
  }

  /** Images of build machines name the driver's folder in a variable. */
  private static Path findDriver() {
    return Stream.concat(
            Settings.find("angarium.test.chromedriver", "CHROMEWEBDRIVER").stream()
                .map(folder -> Path.of(folder, DRIVER))
                .filter(path -> path.toFile().canExecute()),
            InstalledPrograms.program(DRIVER).stream())
        .findFirst()
        .orElseThrow(
            () ->
                new ServerUnavailableException(
                    "no chromedriver; on Debian: apt-get install chromium-driver"));
  }
}
