package io.angarium.deploy;

import com.google.cloud.tools.jib.api.CacheDirectoryCreationException;
import com.google.cloud.tools.jib.api.Containerizer;
import com.google.cloud.tools.jib.api.InvalidImageReferenceException;
import com.google.cloud.tools.jib.api.Jib;
import com.google.cloud.tools.jib.api.JibContainerBuilder;
import com.google.cloud.tools.jib.api.RegistryException;
import com.google.cloud.tools.jib.api.TarImage;
import com.google.cloud.tools.jib.api.buildplan.AbsoluteUnixPath;
import com.google.cloud.tools.jib.api.buildplan.FileEntriesLayer;
import com.google.cloud.tools.jib.api.buildplan.FilePermissions;
import com.google.cloud.tools.jib.api.buildplan.ImageFormat;
import com.google.cloud.tools.jib.api.buildplan.Platform;
import com.google.cloud.tools.jib.api.buildplan.Port;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;

/**
 * The container image of the server, of what this machine has: the libraries of its system, a Java
 * runtime of its JDK, the libraries of others, and what this repository builds. Each is a layer,
 * and what changes often is above what changes seldom. The same content makes the same image.
 * Immutable.
 *
 * @param home the folder of the repository, whose server is built
 * @param full whether with Dubbo and RocketMQ
 * @param name what the image is called once it is loaded
 */
record ServerImage(Path home, boolean full, String name) {
  /** Where Java is. */
  static final String JAVA = "/opt/java";

  /** Where the server is and runs. */
  static final String HOME = "/angarium";

  /** Of the user and of its group. */
  static final int USER = 65_532;

  private static final String MAIN = "io.angarium.server.Server";
  private static final String CLASS_PATH = HOME + "/class-path";
  private static final List<Integer> PORTS = List.of(8090, 9090);
  private static final int DUBBO_PORT = 20_880;
  private static final FilePermissions PROGRAM = FilePermissions.fromOctalString("755");
  private static final FilePermissions FILE = FilePermissions.fromOctalString("644");
  private static final FilePermissions OPEN = FilePermissions.fromOctalString("777");
  private static final String ROOT = "0:0";
  private static final String OWNER = USER + ":" + USER;

  private static final Map<String, String> SYSTEM_FILES =
      Map.of(
          "passwd",
          """
          root:x:0:0:root:/:/sbin/nologin
          angarium:x:%1$d:%1$d:angarium:%2$s:/sbin/nologin
          """
              .formatted(USER, HOME),
          "group",
          """
          root:x:0:
          angarium:x:%d:
          """
              .formatted(USER),
          "nsswitch.conf",
          "hosts: files dns\n");

  static String nameByDefault() {
    return "angarium-server:" + version();
  }

  private static String version() {
    try (InputStream in = ServerImage.class.getResourceAsStream("image.properties")) {
      Properties properties = new Properties();
      properties.load(Objects.requireNonNull(in));
      return properties.getProperty("version");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What the container starts. */
  static List<String> entryPoint() {
    return List.of(
        JAVA + "/bin/java",
        "-XX:+ExitOnOutOfMemoryError",
        "-Dfile.encoding=UTF-8",
        "@" + CLASS_PATH,
        MAIN);
  }

  /**
   * Writes the image as a tar file, in the layout of OCI and as Docker loads it.
   *
   * @param work an empty folder for what is made on the way
   * @return the digest of the image
   */
  String write(Path output, Path work) throws IOException {
    List<Path> ours = new ArrayList<>();
    List<Path> others = new ArrayList<>();
    for (Path each : classPath()) {
      (isOurs(each) ? ours : others).add(each);
    }
    Path runtime = work.resolve("java");
    JavaRuntime.link(runtime);
    Path made = work.resolve("image.tar");
    JibContainerBuilder image =
        Jib.fromScratch()
            .setFormat(ImageFormat.OCI)
            .setPlatforms(Set.of(new Platform(architecture(), "linux")))
            .setFileEntriesLayers(
                List.of(
                    system(runtime, others, work),
                    folder("java", runtime, JAVA),
                    jars(others),
                    server(ours, others, work)))
            .setEntrypoint(entryPoint())
            .setEnvironment(
                new TreeMap<>(Map.of("JDK_JAVA_OPTIONS", "-Xmx512m", "LANG", "C.UTF-8")))
            .setUser(OWNER)
            .setWorkingDirectory(AbsoluteUnixPath.get(HOME))
            .setLabels(new TreeMap<>(labels()));
    PORTS.forEach(port -> image.addExposedPort(Port.tcp(port)));
    if (full) {
      image.addExposedPort(Port.tcp(DUBBO_PORT));
    }
    String digest = containerize(image, made, work.resolve("cache"));
    DockerArchive.write(made, name, output);
    return digest;
  }

  private static Map<String, String> labels() {
    String prefix = "org.opencontainers.image.";
    return Map.of(
        prefix + "title", "angarium-server",
        prefix + "version", version(),
        prefix + "licenses", "Apache-2.0",
        prefix + "source", "https://github.com/angarium/angarium");
  }

  private String containerize(JibContainerBuilder image, Path made, Path cache) throws IOException {
    try {
      return image
          .containerize(
              Containerizer.to(TarImage.at(made).named(name))
                  .setOfflineMode(true)
                  .setBaseImageLayersCache(cache)
                  .setApplicationLayersCache(cache)
                  .setToolName("angarium"))
          .getDigest()
          .toString();
    } catch (InvalidImageReferenceException e) {
      throw new ImageException(
          "'%s' is no name of an image (expected: e.g. %s)".formatted(name, nameByDefault()), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ImageException("It was interrupted", e);
    } catch (RegistryException | CacheDirectoryCreationException | ExecutionException e) {
      throw new ImageException("The layers cannot be packed: " + e, e);
    }
  }

  private static String architecture() throws ImageException {
    String name = System.getProperty("os.arch");
    return switch (name) {
      case "amd64", "x86_64" -> "amd64";
      case "aarch64" -> "arm64";
      default ->
          throw new ImageException(
              "The processor %s is not known (expected: amd64 or aarch64)".formatted(name));
    };
  }

  /** What the build of the server wrote: its own classes first, then what it needs. */
  private List<Path> classPath() throws IOException {
    Path target = home.resolve("angarium-server/target");
    Path file = target.resolve(full ? "class-path-full.txt" : "class-path.txt");
    if (!Files.exists(file)) {
      throw new ImageException(
          "%s is missing: build the server first, e.g. by ./angarium image".formatted(file));
    }
    List<Path> paths = new ArrayList<>(List.of(target.resolve("classes")));
    if (full) {
      paths.addAll(entries(target.resolve("class-path.txt")));
    }
    paths.addAll(entries(file));
    return paths.stream().distinct().toList();
  }

  private static List<Path> entries(Path file) throws IOException {
    return Stream.of(Files.readString(file).strip().split(File.pathSeparator))
        .map(Path::of)
        .toList();
  }

  private static boolean isOurs(Path entry) {
    return Files.isDirectory(entry) || fileName(entry).startsWith("angarium-");
  }

  private static String fileName(Path path) {
    return String.valueOf(path.getFileName());
  }

  private static FileEntriesLayer system(Path runtime, List<Path> jars, Path work)
      throws IOException {
    FileEntriesLayer.Builder layer = FileEntriesLayer.builder().setName("system");
    Path natives = Files.createDirectory(work.resolve("natives"));
    for (var each : SystemLibraries.of(runtime, jars, natives).entrySet()) {
      add(layer, each.getValue(), each.getKey(), PROGRAM, ROOT);
    }
    for (var each : new TreeMap<>(SYSTEM_FILES).entrySet()) {
      Path file = Files.writeString(work.resolve(each.getKey()), each.getValue());
      add(layer, file, "/etc/" + each.getKey(), FILE, ROOT);
    }
    Path empty = Files.createDirectory(work.resolve("empty"));
    add(layer, empty, "/tmp", OPEN, ROOT);
    add(layer, empty, HOME, PROGRAM, ROOT);
    add(layer, empty, HOME + "/config", PROGRAM, ROOT);
    add(layer, empty, HOME + "/angarium-data", PROGRAM, OWNER);
    return layer.build();
  }

  private static FileEntriesLayer folder(String name, Path from, String to) throws IOException {
    FileEntriesLayer.Builder layer = FileEntriesLayer.builder().setName(name);
    try (Stream<Path> walk = Files.walk(from)) {
      for (Path each : walk.sorted().toList()) {
        boolean program = Files.isDirectory(each) || Files.isExecutable(each);
        String path = to + (each.equals(from) ? "" : "/" + from.relativize(each));
        add(layer, each, path, program ? PROGRAM : FILE, ROOT);
      }
    }
    return layer.build();
  }

  private static FileEntriesLayer jars(List<Path> jars) throws IOException {
    FileEntriesLayer.Builder layer = FileEntriesLayer.builder().setName("libraries");
    Set<String> names = new HashSet<>();
    for (Path jar : jars) {
      if (!names.add(fileName(jar))) {
        throw new ImageException("Two libraries are called " + fileName(jar) + ": " + jars);
      }
      add(layer, jar, library(jar), FILE, ROOT);
    }
    return layer.build();
  }

  private static String library(Path jar) {
    return HOME + "/lib/" + fileName(jar);
  }

  private FileEntriesLayer server(List<Path> ours, List<Path> others, Path work)
      throws IOException {
    FileEntriesLayer.Builder layer = FileEntriesLayer.builder().setName("server");
    List<String> paths = new ArrayList<>();
    for (Path each : ours) {
      String path = HOME + "/server/" + jarName(each);
      Path jar = each;
      if (Files.isDirectory(each)) {
        jar = work.resolve(jarName(each));
        OwnJars.make(each, jar);
      }
      add(layer, jar, path, FILE, ROOT);
      paths.add(path);
    }
    others.forEach(each -> paths.add(library(each)));
    Path list = work.resolve("class-path");
    Files.writeString(list, "-cp " + String.join(":", paths) + "\n");
    add(layer, list, CLASS_PATH, FILE, ROOT);
    Path properties = home.resolve("deploy/src/main/image/application.properties");
    add(layer, properties, HOME + "/application.properties", FILE, ROOT);
    return layer.build();
  }

  /** That of its module, if it is a folder with classes. */
  private static String jarName(Path entry) {
    return Files.isDirectory(entry)
        ? entry.getName(entry.getNameCount() - 3) + ".jar" // …/angarium-core/target/classes
        : fileName(entry);
  }

  private static void add(
      FileEntriesLayer.Builder layer,
      Path from,
      String to,
      FilePermissions permissions,
      String owner) {
    layer.addEntry(from, AbsoluteUnixPath.get(to), permissions, Instant.EPOCH, owner);
  }

  static void delete(Path folder) throws IOException {
    try (Stream<Path> walk = Files.walk(folder)) {
      for (Path each : walk.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
  }
}
