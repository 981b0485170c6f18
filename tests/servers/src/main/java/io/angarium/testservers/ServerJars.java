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
import java.util.stream.Collectors;

/**
 * The jars that servers are made of. One module for each lists them, outside of every class path.
 */
enum ServerJars {
  /** The archive of PostgreSQL, from the module tests/postgresql. */
  POSTGRESQL("postgresql-jars.txt"),
  /** Kafka, from the module tests/kafka. */
  KAFKA("kafka-jars.txt"),
  /** RocketMQ, from the module tests/rocketmq; its versions conflict with those of Kafka. */
  ROCKETMQ("rocketmq-jars.txt"),
  /** The proxy of RocketMQ, from the module tests/rocketmq-proxy; few tests start it. */
  ROCKETMQ_PROXY("rocketmq-proxy-jars.txt");

  private final String list;

  ServerJars(String list) {
    this.list = list;
  }

  private List<Path> all() {
    try (InputStream content = ServerJars.class.getResourceAsStream(list)) {
      if (content == null) {
        throw new ServerUnavailableException(
            list + " is missing; build the module angarium-test-servers with Maven first");
      }
      String paths = new String(content.readAllBytes(), StandardCharsets.UTF_8).strip();
      return Arrays.stream(paths.split(File.pathSeparator)).map(Path::of).toList();
    } catch (IOException e) {
      throw new ServerUnavailableException("Cannot read " + list, e);
    }
  }

  /** All of them as the class path of a JVM. */
  String classPath() {
    return all().stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
  }

  /**
   * Looks whether they are still where the build found them.
   *
   * @throws ServerUnavailableException when some are not
   */
  void requireAll() {
    List<Path> missing = all().stream().filter(jar -> !Files.exists(jar)).toList();
    if (!missing.isEmpty()) {
      throw new ServerUnavailableException(
          "jars listed by the build are gone, build again: " + missing);
    }
  }

  /** The version in the name of the jar that begins like this. */
  String version(String prefix) {
    return all().stream()
        .map(jar -> String.valueOf(jar.getFileName()))
        .filter(name -> name.startsWith(prefix))
        .map(name -> name.substring(prefix.length(), name.length() - ".jar".length()))
        .findFirst()
        .orElseThrow(
            () -> new ServerUnavailableException(prefix + "* was not listed by the build"));
  }

  /** The jar whose file name begins like this, when the build listed it and it is still there. */
  Optional<Path> find(String prefix) {
    return all().stream()
        .filter(jar -> jar.getFileName().toString().startsWith(prefix))
        .filter(Files::exists)
        .findFirst();
  }
}
