package io.angarium.dubbo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Threads that are interrupted leave Dubbo unbroken. Each case has a process of its own, as only
 * the first to need a class or an extension loads it.
 */
class InterruptedThreadTest {
  @ParameterizedTest
  @EnumSource
  void dubboWorksAfterwards(InterruptedProcess.Work work) throws Exception {
    List<String> command =
        List.of(
            ProcessHandle.current().info().command().orElseThrow(),
            "-XX:TieredStopAtLevel=1",
            "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
            "-cp",
            System.getProperty("java.class.path"),
            InterruptedProcess.class.getName(),
            work.name());

    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);

    assertThat(process.waitFor()).as(output).isZero();
    assertThat(output).endsWith(InterruptedProcess.DONE + System.lineSeparator());
  }
}
