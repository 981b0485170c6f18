package io.angarium.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

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
import org.junit.jupiter.api.Test;

/** The libraries that the server brings: each one was wanted by somebody who looked at it. */
class ServerJarsTest {
  private static Set<String> shipped() throws IOException {
    String classPath = Files.readString(Path.of("target", "class-path.txt"));
    Set<String> names = new TreeSet<>();
    Stream.of(classPath.strip().split(File.pathSeparator))
        .map(each -> String.valueOf(Path.of(each).getFileName()))
        .filter(each -> each.endsWith(".jar"))
        .map(each -> each.replaceFirst("-\\d.*", ""))
        .filter(each -> !each.startsWith("angarium-"))
        .forEach(names::add);
    return names;
  }

  private static List<String> allowed() throws IOException {
    try (InputStream in = ServerJarsTest.class.getResourceAsStream("/shipped-jars.txt")) {
      return new String(Objects.requireNonNull(in).readAllBytes(), UTF_8)
          .lines()
          .filter(each -> !each.startsWith("#"))
          .toList();
    }
  }

  @Test
  void noLibraryIsShippedThatIsNotOnTheList() throws IOException {
    assertThat(shipped()).containsExactlyInAnyOrderElementsOf(allowed());
  }

  @Test
  void whatOthersBringForTheirTestsIsNotShipped() throws IOException {
    assertThat(shipped())
        .isNotEmpty()
        .doesNotContain("fastjson", "awaitility", "hamcrest", "netty-codec-native-quic");
  }
}
