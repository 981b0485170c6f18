package io.angarium.testservers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A package of Debian or Ubuntu with all it depends on, unpacked below the cache folder. Nothing is
 * installed and no right is needed: apt works on a private state, from the mirror that this machine
 * uses anyway, and the programs run through the package's own loader and libraries.
 */
final class DistributionPackage {
  private static final Duration LIMIT = Duration.ofMinutes(5);

  /** Releases that are searched besides the machine's own. Debian keeps MySQL in unstable only. */
  private static final String DEBIAN_UNSTABLE = "sid";

  private static final List<String> KEYRINGS =
      List.of(
          "/usr/share/keyrings/debian-archive-keyring.pgp",
          "/usr/share/keyrings/debian-archive-keyring.gpg",
          "/usr/share/keyrings/ubuntu-archive-keyring.gpg");

  private DistributionPackage() {}

  /**
   * The folder with the package's files, fetched at the first use.
   *
   * @throws ServerUnavailableException where there is no apt, no mirror, or no such package
   */
  static Path unpacked(String name) {
    return unpacked(name, root -> {});
  }

  /**
   * The same for a package whose files must be changed after they have been unpacked.
   *
   * @param change is given the folder, which is moved to its place afterwards
   */
  static Path unpacked(String name, Consumer<Path> change) {
    for (String tool : List.of("apt-get", "dpkg-deb")) {
      if (InstalledPrograms.program(tool).isEmpty()) {
        throw new ServerUnavailableException("no " + tool + " here");
      }
    }
    Path folder =
        ServerFolders.cached(
            name + "-package",
            work -> {
              fetch(name, work);
              change.accept(work.resolve("root"));
            });
    return folder.resolve("root");
  }

  private static void fetch(String name, Path work) {
    Progress.say("Fetching " + name + " from the distribution's mirror, tens of MB, once");
    Path apt = work.resolve("apt");
    List<String> options = privateState(apt);
    apt(work, options, "update");
    apt(work, options, "install", "--yes", "--download-only", name);
    Progress.say("Unpacking " + name);
    unpack(apt.resolve("cache/archives"), work.resolve("root"));
    Shell.deleteTree(apt);
  }

  /**
   * A state of apt in which nothing is installed, so that it fetches all that the package needs.
   */
  private static List<String> privateState(Path apt) {
    try {
      Files.createDirectories(apt.resolve("state/lists/partial"));
      Files.createDirectories(apt.resolve("cache/archives/partial"));
      Files.createDirectories(apt.resolve("sources"));
      Files.writeString(apt.resolve("state/status"), "");
      Files.writeString(apt.resolve("sources/mirror.sources"), source());
    } catch (IOException e) {
      throw new ServerUnavailableException("Cannot prepare " + apt, e);
    }
    return options(
        "Dir::Etc::sourcelist=/dev/null",
        "Dir::Etc::sourceparts=" + apt.resolve("sources"),
        "Dir::Etc::preferencesparts=/dev/null",
        "Dir::State=" + apt.resolve("state"),
        "Dir::State::status=" + apt.resolve("state/status"),
        "Dir::Cache=" + apt.resolve("cache"),
        "Debug::NoLocking=true",
        "APT::Sandbox::User=" + System.getProperty("user.name"),
        "APT::Install-Recommends=false",
        // The index of a mirror that lags is past its date; the signatures are checked all the
        // same.
        "Acquire::Check-Valid-Until=false",
        "Acquire::Languages=none",
        "Acquire::Retries=2",
        "Acquire::http::Timeout=20",
        "Acquire::https::Timeout=20");
  }

  private static List<String> options(String... settings) {
    return Arrays.stream(settings).flatMap(setting -> Stream.of("-o", setting)).toList();
  }

  private static String source() {
    String[] own = ownMirror();
    boolean debian = own[2].equals("Debian");
    return """
        Types: deb
        URIs: %s
        Suites: %s
        Components: %s
        %s
        """
        .formatted(
            own[0],
            debian ? DEBIAN_UNSTABLE : own[1],
            debian ? "main" : "main universe",
            signedBy());
  }

  /** Newer distributions trust no key in general, but the file that a source names. */
  private static String signedBy() {
    return KEYRINGS.stream()
        .map(Path::of)
        .filter(Files::exists)
        .findFirst()
        .map(file -> "Signed-By: " + file)
        .orElse("");
  }

  /** Address, release and origin of the first mirror that this machine's own apt uses. */
  private static String[] ownMirror() {
    List<String> list = new ArrayList<>(List.of("apt-get", "indextargets"));
    list.addAll(List.of("--format", "$(REPO_URI)|$(RELEASE)|$(ORIGIN)|$(COMPONENT)"));
    list.add("Created-By: Packages");
    return Shell.run(Path.of("/"), LIMIT, list)
        .lines()
        .map(line -> line.split("\\|"))
        .filter(mirror -> mirror.length == 4 && mirror[3].equals("main"))
        .filter(mirror -> !mirror[1].contains("-"))
        .findFirst()
        .orElseThrow(() -> new ServerUnavailableException("apt has no mirror of the distribution"));
  }

  private static void apt(Path work, List<String> options, String... arguments) {
    List<String> command = new ArrayList<>(List.of("apt-get"));
    command.addAll(options);
    command.addAll(List.of(arguments));
    Shell.run(work, LIMIT, command);
  }

  private static void unpack(Path archives, Path root) {
    try (Stream<Path> files = Files.list(archives)) {
      Files.createDirectory(root);
      for (Path file : files.filter(file -> file.toString().endsWith(".deb")).toList()) {
        List<String> command = List.of("dpkg-deb", "-x", file.toString(), root.toString());
        Shell.run(root, LIMIT, command);
      }
    } catch (IOException e) {
      throw new ServerUnavailableException("Cannot unpack " + archives, e);
    }
  }

  /** What stands before a program of the package: its own loader, and where its libraries are. */
  static List<String> loader(Path root, String... moreLibraries) {
    Path library = only(root.resolve("usr/lib"), "*-linux-gnu");
    List<String> libraries = new ArrayList<>(List.of(library.toString()));
    Arrays.stream(moreLibraries).map(root::resolve).map(Path::toString).forEach(libraries::add);
    String loader = only(library, "ld-linux*").toString();
    return List.of(loader, "--library-path", String.join(":", libraries));
  }

  static Path only(Path folder, String glob) {
    try (var found = Files.newDirectoryStream(folder, glob)) {
      for (Path path : found) {
        return path;
      }
    } catch (IOException e) {
      throw new ServerUnavailableException("Cannot list " + folder, e);
    }
    throw new ServerUnavailableException("No " + glob + " in " + folder);
  }
}
