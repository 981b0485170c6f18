package io.angarium.testservers;

import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Looks for programs installed on this machine, on the path and where distributions hide them. */
final class InstalledPrograms {
  private static final List<String> USUAL =
      List.of("/usr/sbin", "/usr/bin", "/usr/libexec", "/usr/local/bin", "/opt/homebrew/bin");

  private InstalledPrograms() {}

  /** The folders of these patterns ({@code /usr/lib/x/∗/bin}), of the path and the usual ones. */
  static List<Path> folders(String... patterns) {
    Set<Path> folders = new LinkedHashSet<>();
    Arrays.stream(patterns).map(InstalledPrograms::matching).forEach(folders::addAll);
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
    Arrays.stream(path.split(File.pathSeparator)).map(Path::of).forEach(folders::add);
    USUAL.stream().map(Path::of).forEach(folders::add);
    return List.copyOf(folders);
  }

  private static List<Path> matching(String pattern) {
    int star = pattern.indexOf('*');
    Path parent = Path.of(pattern.substring(0, pattern.lastIndexOf('/', star)));
    String glob = pattern.substring(parent.toString().length() + 1, pattern.indexOf('/', star));
    String rest = pattern.substring(pattern.indexOf('/', star) + 1);
    if (!Files.isDirectory(parent)) {
      return List.of();
    }
    try (DirectoryStream<Path> found = Files.newDirectoryStream(parent, glob)) {
      List<Path> folders = new ArrayList<>();
      found.forEach(folder -> folders.add(folder.resolve(rest)));
      return folders;
    } catch (IOException e) {
      throw new ServerUnavailableException("Cannot list " + parent, e);
    }
  }

  /** The first executable of this name. */
  static Optional<Path> program(String name) {
    return folders().stream()
        .map(folder -> folder.resolve(name))
        .filter(Files::isRegularFile)
        .filter(Files::isExecutable)
        .findFirst();
  }

  /**
   * The version that a program prints when asked with {@code --version}: 1000 times the major plus
   * the minor number.
   *
   * @param form finds the two as its groups; a program that prints something else has version 0
   */
  static int version(Path program, Pattern form) {
    if (!Files.isExecutable(program)) {
      return 0;
    }
    List<String> command = List.of(program.toString(), "--version");
    Matcher found = form.matcher(Shell.run(Path.of("/"), Duration.ofSeconds(10), command));
    return found.find()
        ? 1000 * Integer.parseInt(found.group(1)) + Integer.parseInt(found.group(2))
        : 0;
  }
}
