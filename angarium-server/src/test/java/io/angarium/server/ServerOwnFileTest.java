package io.angarium.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** H2 in a file that somebody else named. */
class ServerOwnFileTest {
  @TempDir private Path folder;

  /** By itself, H2 closes a database as soon as the process is told to end. */
  @Test
  void databaseStaysOpenUntilTheServerHasStopped() {
    String url = "jdbc:h2:file:" + folder.resolve("own");
    try (ServerProcess server =
        new ServerProcess(folder, List.of("--server.port=0", "--spring.datasource.url=" + url))) {
      server.address();

      ProcessHandle.of(server.pid()).orElseThrow().destroy(); // and its output stays open
      assertThat(server.exitStatus()).isEqualTo(143);

      assertThat(server.output()).doesNotContain("Exception", "already closed", " ERROR ");
    }
  }
}
