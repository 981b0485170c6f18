package io.angarium.deploy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Properties;

/** How long a server that is told to stop may take, from its own configuration. */
final class StopTimes {
  static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  /** Requests over gRPC; Dubbo; the check-back; the intake from Kafka; the relay: 10 s each. */
  private static final Duration OTHERS = Duration.ofSeconds(50);

  private static final Duration END_OF_JVM = Duration.ofSeconds(5);

  private StopTimes() {}

  static Duration longest(Duration stopDelay) throws IOException {
    String http =
        read(ROOT.resolve("angarium-server/src/main/resources/application.properties"))
            .getProperty("spring.lifecycle.timeout-per-shutdown-phase");
    return stopDelay.plus(seconds(http)).plus(OTHERS).plus(END_OF_JVM);
  }

  static Duration delayInTheImage() throws IOException {
    return seconds(
        read(Path.of("src/main/image/application.properties"))
            .getProperty("angarium.server.stop-delay"));
  }

  static Duration seconds(String text) {
    return Duration.parse("PT" + text);
  }

  private static Properties read(Path file) throws IOException {
    Properties properties = new Properties();
    try (InputStream in = Files.newInputStream(file)) {
      properties.load(in);
    }
    return properties;
  }
}
