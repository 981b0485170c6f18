package io.angarium.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.testservers.OnOneJdk;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** An application with the RocketMQ client keeps no files of the client. */
@OnOneJdk
class ClientFilesTest {
  private static final long LIMIT_SECONDS = 120;
  private static final String MINE = "the application's own line";

  @TempDir private Path home;
  @TempDir private Path working;
  @TempDir private Path outputs;

  @Test
  void clientWritesNothingBelowTheHomeFolderOrTheWorkingFolder() throws Exception {
    Path output = outputs.resolve("output.txt");
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-Dorg.slf4j.simpleLogger.defaultLogLevel=debug",
            "-Duser.home=" + home,
            "-cp",
            System.getProperty("java.class.path"),
            Application.class.getName());

    Process application =
        new ProcessBuilder(command)
            .directory(working.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    boolean ended = application.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
    application.destroyForcibly();

    assertThat(ended).isTrue();
    assertThat(application.exitValue()).as(Files.readString(output)).isZero();
    assertThat(home).isEmptyDirectory();
    assertThat(working).isEmptyDirectory();
    assertThat(Files.readString(output)).contains("org.apache.rocketmq.client", MINE);
  }

  /** Starts a transport without a broker and ends; says so in the log of the client. */
  static final class Application {
    private Application() {}

    @SuppressWarnings("SystemExitOutsideMain") // threads of the client may live on
    public static void main(String[] args) {
      try (RocketTransport transport = RocketTransport.open(RocketConfig.of("127.0.0.1:1"))) {
        new DefaultMQPushConsumer("readers").suspend(); // logs a line
        LoggerFactory.getLogger("shop").warn(MINE);
        System.exit(transport.name().isEmpty() ? 1 : 0);
      }
    }
  }
}
