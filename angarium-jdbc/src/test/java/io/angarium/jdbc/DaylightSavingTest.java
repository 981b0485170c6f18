package io.angarium.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.testservers.DatabaseServer;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.SharedServers;
import io.angarium.testservers.TestDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Changes to and from daylight saving time change no time, whatever zone, driver and database. */
@OnOneJdk
@RequiresServer({Server.POSTGRESQL, Server.MARIADB, Server.MYSQL})
@Tag("mysql")
final class DaylightSavingTest {
  private static final int PARTS = 4;
  private static final int ZONES = 5;

  private final List<String> ways = new ArrayList<>();

  private void way(DatabaseServer server, String driver, String settings) {
    TestDatabase database = server.freshDatabase();
    String url = database.url().replaceFirst("^jdbc:\\w+:", "jdbc:" + driver + ":");
    String whole = settings.isEmpty() ? url : url + (url.contains("?") ? "&" : "?") + settings;
    ways.addAll(
        List.of(
            database.server() + " through " + driver + " " + settings,
            whole,
            database.user(),
            database.password()));
  }

  @Test
  void noZoneMovesATime() throws Exception {
    way(SharedServers.postgres(), "postgresql", "");
    way(SharedServers.postgres(), "postgresql", "preferQueryMode=simple");
    way(SharedServers.postgres(), "postgresql", "options=-c%20TimeZone=America/New_York");
    way(SharedServers.mariaDb(), "mariadb", "");
    way(SharedServers.mariaDb(), "mariadb", "useServerPrepStmts=true&timezone=-03:00");
    way(SharedServers.mariaDb(), "mysql", "");
    way(SharedServers.mySql(), "mysql", "useServerPrepStmts=true");
    way(
        SharedServers.mySql(),
        "mysql",
        "connectionTimeZone=SERVER&preserveInstants=false&sessionVariables=time_zone='%2B05:30'");
    for (String settings : List.of("", ";TIME ZONE=America/New_York")) {
      String url = "jdbc:h2:mem:daylight" + ways.size() + ";DB_CLOSE_DELAY=-1" + settings;
      ways.addAll(List.of("H2" + settings, url, "sa", ""));
    }

    List<String> lines = run();

    assertThat(lines).noneMatch(line -> line.startsWith(DaylightSavingProcess.FAULT));
    assertThat(lines).contains(DaylightSavingProcess.DONE + ways.size() / PARTS * ZONES);
  }

  private List<String> run() throws Exception {
    List<String> command =
        Stream.concat(
                Stream.of(
                    ProcessHandle.current().info().command().orElseThrow(),
                    "-XX:TieredStopAtLevel=1",
                    "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                    "-cp",
                    System.getProperty("java.class.path"),
                    DaylightSavingProcess.class.getName()),
                ways.stream())
            .toList();
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try {
      return new String(process.getInputStream().readAllBytes(), UTF_8).lines().toList();
    } finally {
      process.destroyForcibly();
    }
  }
}
