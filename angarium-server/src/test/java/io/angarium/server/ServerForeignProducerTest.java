package io.angarium.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessages;
import io.angarium.half.HalfState;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A producer with TrustMessage's own classes and none of ours, in a process of its own. */
class ServerForeignProducerTest {
  private static final Path SOURCES =
      Path.of("../angarium-dubbo/src/test/resources/trustmessage-client");

  @TempDir Path classes;

  @Test
  void producerIsAnsweredAsByItsOldCentre() throws Exception {
    compile();
    int port = DubboShop.freePort();
    try (ServerUnderTest server =
        ServerUnderTest.open(
            "angarium.relay.enabled=false",
            "angarium.server.dubbo.enabled=true",
            "angarium.server.dubbo.port=" + port,
            "angarium.server.dubbo.businesses=*",
            "angarium.server.dubbo.destinations=kafka:orders",
            "angarium.server.check-back.dubbo.allowed-addresses=dubbo://localhost:12346")) {
      List<String> answers = run(DubboShop.address(port) + "?serialization=fastjson2");

      assertThat(answers)
          .containsExactly(
              "prepare: 200 true",
              "prepare again: 200 true",
              "commit: 200 true",
              "commit again: 200 true",
              "roll back too late: 1002 false",
              "commit unknown: 1001 false",
              "roll back: 200 true",
              "commit too late: 1003 false",
              "illegal: 1000 false");
      HalfMessages half = server.bean(HalfMessages.class);
      assertThat(half.state(new HalfKey("7", "paid"))).isEqualTo(HalfState.COMMITTED);
      assertThat(half.state(new HalfKey("7", "given up"))).isEqualTo(HalfState.ROLLED_BACK);
    }
  }

  private void compile() throws IOException {
    List<String> arguments =
        new ArrayList<>(List.of("-proc:none", "-d", classes.toString(), "-cp", libraries()));
    try (Stream<Path> files = Files.walk(SOURCES)) {
      files.map(Path::toString).filter(file -> file.endsWith(".java")).forEach(arguments::add);
    }
    int exitCode =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, arguments.toArray(String[]::new));
    assertThat(exitCode).as("the compiler's exit code").isZero();
  }

  /** The class path of this test without the classes of this build. */
  private static String libraries() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> entry.endsWith(".jar") && !entry.contains("angarium"))
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** Runs it to its end; what it was answered. */
  private List<String> run(String address) throws IOException, InterruptedException {
    Path output = classes.resolve("output.txt");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                classes + File.pathSeparator + libraries(),
                "com.example.trustmessage.shop.Shop",
                address)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(process.waitFor(2, TimeUnit.MINUTES)).as("has ended").isTrue();
    } finally {
      process.destroyForcibly();
    }
    String printed = Files.readString(output);
    assertThat(process.exitValue()).as(printed).isZero();
    return printed
        .lines()
        .filter(line -> line.startsWith("> "))
        .map(line -> line.substring(2))
        .toList();
  }
}
