package io.angarium.testservers;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The jars that servers are made of, listed by the build of this module outside of its class path.
 */
final class ServerJars {
  private static final String LIST = "server-jars.txt";

  private ServerJars() {}

  /** All of them: the class path of a Kafka broker. */
  static List<Path> all() {
    try (InputStream list = ServerJars.class.getResourceAsStream(LIST)) {
      if (list == null) {
        throw new ServerUnavailableException(
            LIST + " is missing; build the module angarium-test-servers with Maven first");
      }
      String paths = new String(list.readAllBytes(), StandardCharsets.UTF_8).strip();
      return Arrays.stream(paths.split(File.pathSeparator)).map(Path::of).toList();
    } catch (IOException e) {
      throw new ServerUnavailableException("Cannot read " + LIST, e);
    }
  }

  /** The jar whose file name begins like this, when the build listed it and it is still there. */
  static Optional<Path> find(String prefix) {
    return all().stream()
        .filter(jar -> jar.getFileName().toString().startsWith(prefix))
        .filter(Files::exists)
        .findFirst();
  }
}
