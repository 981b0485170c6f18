package io.angarium.testservers;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/** The folders of this module: the cache of programs, and a private one for each server. */
final class ServerFolders {
  private static final String LAUNCHER_CACHE = "angarium.launcher.cache";

  private ServerFolders() {}

  /** A new private folder for a server; its parents can be entered by other users. */
  static Path createFor(Server server) {
    try {
      Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
      Path folder = Files.createTempDirectory(temporary, "angarium-" + server.key() + "-");
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x"));
      return folder;
    } catch (IOException e) {
      throw new ServerUnavailableException("Cannot create a folder for " + server.title(), e);
    }
  }

  /** Fills the private folder of a server; one that could not be filled to the end is deleted. */
  static <T> T filling(Path folder, Function<Path, T> fill) {
    try {
      return fill.apply(folder);
    } catch (ServerUnavailableException e) {
      Shell.deleteTree(folder);
      throw e;
    }
  }

  /**
   * A folder of the cache, filled at the first use by one process while the others wait. A folder
   * that could not be filled to the end is thrown away.
   *
   * @param name the folder's name, with the version of its content in it
   */
  static synchronized Path cached(String name, Consumer<Path> fill) {
    Path cache = cache();
    Path wanted = cache.resolve(name);
    if (Files.exists(wanted)) {
      return wanted;
    }
    try {
      Files.createDirectories(cache);
      try (FileChannel file = open(cache.resolve(name + ".lock"));
          FileLock lock = file.lock()) {
        boolean filled = lock.isValid() && Files.exists(wanted);
        return filled ? wanted : fill(cache, wanted, fill);
      }
    } catch (IOException e) {
      throw new ServerUnavailableException("Cannot prepare " + wanted, e);
    }
  }

  private static FileChannel open(Path lock) throws IOException {
    return FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
  }

  private static Path fill(Path cache, Path wanted, Consumer<Path> fill) throws IOException {
    Path work = Files.createTempDirectory(cache, wanted.getFileName() + ".part-");
    Files.setPosixFilePermissions(work, PosixFilePermissions.fromString("rwxr-xr-x"));
    try {
      fill.accept(work);
      return Files.move(work, wanted, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Shell.deleteTree(work);
    }
  }

  /**
   * The cache: the folder named by ANGARIUM_TEST_CACHE, the one that the launcher of an example
   * names, or one below the user's cache folder. Root without user namespaces uses a folder that
   * the server's user can read as well.
   */
  private static Path cache() {
    String name = "angarium-test-servers";
    return Settings.find("angarium.test.cache", "ANGARIUM_TEST_CACHE")
        .map(Path::of)
        .or(() -> worldReadable().map(folder -> folder.resolve(name)))
        .or(ServerFolders::launcherCache)
        .or(
            () ->
                Optional.ofNullable(System.getenv("XDG_CACHE_HOME"))
                    .map(Path::of)
                    .map(folder -> folder.resolve(name)))
        .orElseGet(() -> Path.of(System.getProperty("user.home"), ".cache", name));
  }

  private static Optional<Path> launcherCache() {
    return Optional.ofNullable(System.getProperty(LAUNCHER_CACHE))
        .map(Path::of)
        .map(Path::toAbsolutePath);
  }

  private static Optional<Path> worldReadable() {
    return Unprivileged.here().isAnotherUser()
        ? Optional.of(Path.of("/var/cache"))
        : Optional.empty();
  }
}
