package io.angarium.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The libraries that the server brings: each one was wanted by somebody who looked at it. */
class ServerJarsTest {
  private static final String DEFAULT_JAR = "class-path.txt";
  private static final String FULL_JAR_ALONE = "class-path-full.txt";

  private static List<Path> paths(String file) throws IOException {
    String classPath = Files.readString(Path.of("target", file));
    return Stream.of(classPath.strip().split(File.pathSeparator)).map(Path::of).toList();
  }

  private static Set<String> shipped(String file) throws IOException {
    Set<String> names = new TreeSet<>();
    paths(file).stream()
        .map(each -> String.valueOf(each.getFileName()))
        .filter(each -> each.endsWith(".jar"))
        .map(each -> each.replaceFirst("-\\d.*", ""))
        .filter(each -> !each.startsWith("angarium-"))
        .forEach(names::add);
    return names;
  }

  private static List<String> allowed(String list) throws IOException {
    try (InputStream in = ServerJarsTest.class.getResourceAsStream(list)) {
      return new String(Objects.requireNonNull(in).readAllBytes(), UTF_8)
          .lines()
          .filter(each -> !each.startsWith("#"))
          .toList();
    }
  }

  @Test
  void noLibraryIsShippedThatIsNotOnTheList() throws IOException {
    assertThat(shipped(DEFAULT_JAR))
        .containsExactlyInAnyOrderElementsOf(allowed("/shipped-jars.txt"));
  }

  @Test
  void theFullJarHasDubboAndRocketAndWhatTheyNeedBesides() throws IOException {
    assertThat(shipped(FULL_JAR_ALONE))
        .containsExactlyInAnyOrderElementsOf(allowed("/shipped-jars-full.txt"))
        .contains("dubbo", "zookeeper", "netty-all", "rocketmq-client");
  }

  @Test
  void whatOthersBringForTheirTestsIsNotShipped() throws IOException {
    for (String file : List.of(DEFAULT_JAR, FULL_JAR_ALONE)) {
      assertThat(shipped(file))
          .isNotEmpty()
          .doesNotContain(
              "fastjson",
              "awaitility",
              "commons-collections",
              "hamcrest",
              "netty-codec-native-quic");
    }
  }

  /** Each codec of Kafka works on the same systems. */
  @Test
  void theDefaultJarKeepsTheCodecsOfTheUsualSystems(@TempDir Path folder) throws Exception {
    Path jar = folder.resolve("app.jar");
    packed(jar, List.of("snappy-java-", "lz4-java-", "grpc-services-"));

    Process slim =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "src/build/SlimJar.java",
                jar.toString(),
                "10000000")
            .inheritIO()
            .start();
    assertThat(slim.waitFor()).isZero();

    Map<String, Path> made = unpacked(jar, folder);
    assertThat(systems(made.get("snappy-java-"), "org/xerial/snappy/native/"))
        .containsExactlyInAnyOrder(
            "Linux/x86_64", "Linux/aarch64", "Mac/x86_64", "Mac/aarch64", "Windows/x86_64");
    assertThat(systems(made.get("lz4-java-"), "net/jpountz/util/"))
        .containsExactlyInAnyOrder(
            "linux/amd64", "linux/aarch64", "darwin/x86_64", "darwin/aarch64", "windows/amd64");
    assertThat(compressed(made.get("snappy-java-"), "org.xerial.snappy.Snappy"))
        .hasSizeLessThan(100);
    URL[] lz4 = {made.get("lz4-java-").toUri().toURL()};
    try (URLClassLoader loader = new URLClassLoader(lz4, ClassLoader.getPlatformClassLoader())) {
      Class<?> factory = loader.loadClass("net.jpountz.lz4.LZ4Factory");
      assertThat(factory.getMethod("nativeInstance").invoke(null)).isNotNull();
    }
  }

  private static byte[] compressed(Path jar, String type) throws Exception {
    URL[] urls = {jar.toUri().toURL()};
    try (URLClassLoader loader = new URLClassLoader(urls, ClassLoader.getPlatformClassLoader())) {
      Class<?> snappy = loader.loadClass(type);
      byte[] small =
          (byte[]) snappy.getMethod("compress", byte[].class).invoke(null, new byte[1_000]);
      Object back = snappy.getMethod("uncompress", byte[].class).invoke(null, small);
      assertThat((byte[]) back).isEqualTo(new byte[1_000]);
      return small;
    }
  }

  /** Libraries as Spring Boot puts them into a jar. */
  private static void packed(Path jar, List<String> names) throws IOException {
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(jar))) {
      for (Path library : paths(DEFAULT_JAR)) {
        String name = String.valueOf(library.getFileName());
        if (names.stream().anyMatch(name::startsWith)) {
          zip.putNextEntry(new ZipEntry("BOOT-INF/lib/" + name));
          Files.copy(library, zip);
        }
      }
    }
  }

  /** The libraries of a jar by the beginnings of their names. */
  private static Map<String, Path> unpacked(Path jar, Path folder) throws IOException {
    Map<String, Path> libraries = new HashMap<>();
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      for (ZipEntry each : Collections.list(zip.entries())) {
        String name = each.getName().substring("BOOT-INF/lib/".length());
        Path library = folder.resolve(name);
        Files.copy(zip.getInputStream(each), library);
        libraries.put(name.replaceFirst("(?<=-)\\d.*", ""), library);
      }
    }
    return libraries;
  }

  private static Set<String> systems(Path jar, String folder) throws IOException {
    Set<String> systems = new TreeSet<>();
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      for (ZipEntry each : Collections.list(zip.entries())) {
        String name = each.getName();
        if (name.startsWith(folder) && name.matches(".*\\.(so|dll|dylib|jnilib|a)")) {
          systems.add(name.substring(folder.length(), name.lastIndexOf('/')));
        }
      }
    }
    return systems;
  }
}
