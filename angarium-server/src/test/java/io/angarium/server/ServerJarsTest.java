package io.angarium.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;

/** The libraries that the server brings: each one was wanted by somebody who looked at it. */
class ServerJarsTest {
  private static final String DEFAULT_JAR = "class-path.txt";
  private static final String FULL_JAR_ALONE = "class-path-full.txt";
  private static final long DEFAULT_JAR_BYTES_MAX = 60L << 20;

  /** Of the classes that start the jar. */
  private static final long LOADER_BYTES = 200L << 10;

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

  @Test
  void theDefaultJarStaysBelowSixtyMegabytes() throws IOException {
    long bytes = LOADER_BYTES + bytes(Path.of("target", "classes"));
    for (Path each : paths(DEFAULT_JAR)) {
      bytes += bytes(each);
    }

    assertThat(bytes).isBetween(DEFAULT_JAR_BYTES_MAX / 2, DEFAULT_JAR_BYTES_MAX);
  }

  /** Of a jar, or of the one that a folder of classes will be. */
  private static long bytes(Path path) throws IOException {
    if (!Files.isDirectory(path)) {
      return Files.size(path);
    }
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(packed);
        Stream<Path> files = Files.walk(path)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        zip.putNextEntry(new ZipEntry(path.relativize(file).toString()));
        Files.copy(file, zip);
      }
    }
    return packed.size();
  }
}
