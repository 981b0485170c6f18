package io.angarium.deploy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The unit as systemd reads it, where systemd is installed, and everywhere by its keys. */
class SystemdUnitTest {
  private static final Path UNIT = Path.of("systemd/angarium-server.service");

  /** Directives that are used, by the section in which systemd reads them. */
  private static final Map<String, Set<String>> KEYS =
      Map.of(
          "[Unit]",
          words("Description Documentation Wants After StartLimitIntervalSec"),
          "[Service]",
          words(
              """
              Type DynamicUser StateDirectory StateDirectoryMode WorkingDirectory Environment
              EnvironmentFile ExecStart ExecStartPost TimeoutStartSec SuccessExitStatus Restart
              RestartSec KillMode TimeoutStopSec MemoryMax LimitNOFILE CapabilityBoundingSet
              AmbientCapabilities NoNewPrivileges ProtectSystem ProtectHome ProtectProc ProtectClock
              ProtectHostname ProtectKernelLogs ProtectKernelModules ProtectKernelTunables
              ProtectControlGroups PrivateTmp PrivateDevices PrivateUsers RestrictAddressFamilies
              RestrictNamespaces RestrictRealtime RestrictSUIDSGID RemoveIPC LockPersonality
              SystemCallArchitectures SystemCallFilter SystemCallErrorNumber UMask
              """),
          "[Install]",
          words("WantedBy"));

  /** Of 10; systemd calls below 2 safe. */
  private static final int EXPOSURE_MAX = 2;

  @TempDir private Path folder;

  private static Set<String> words(String text) {
    return Set.of(text.strip().split("\\s+", -1));
  }

  private static List<String> lines() throws IOException {
    return Files.readAllLines(UNIT).stream()
        .filter(each -> !each.isEmpty() && !each.startsWith("#"))
        .toList();
  }

  private static String value(String key) throws IOException {
    return lines().stream()
        .filter(each -> each.startsWith(key + "="))
        .map(each -> each.substring(key.length() + 1))
        .findFirst()
        .orElseThrow();
  }

  /** Lines that systemd would not read in their section. */
  private static List<String> unread(List<String> lines) {
    List<String> unread = new ArrayList<>();
    Set<String> keys = Set.of();
    for (String line : lines) {
      if (line.startsWith("[")) {
        keys = KEYS.getOrDefault(line, Set.of());
      } else if (!keys.contains(line.replaceFirst("=.*", ""))) {
        unread.add(line);
      }
    }
    return unread;
  }

  @Test
  void everyDirectiveIsReadInItsSection() throws IOException {
    assertThat(unread(lines())).isEmpty();
    assertThat(
            unread(List.of("[Service]", "KillMod=mixed", "StartLimitIntervalSec=0", "Type=exec")))
        .containsExactly("KillMod=mixed", "StartLimitIntervalSec=0");
  }

  /** As long as the database is away, however long that is. */
  @Test
  void serverThatCannotStartIsStartedAgainWithoutEnd() throws IOException {
    assertThat(value("StartLimitIntervalSec")).isEqualTo("0");
    assertThat(value("Restart")).isEqualTo("on-failure");
  }

  @Test
  void serverIsKilledAfterTheLongestStopAndItsEndBySignalIsNoFailure() throws IOException {
    String delay = value("ExecStart").replaceFirst(".*stop-delay=(\\w+).*", "$1");

    assertThat(Long.parseLong(value("TimeoutStopSec")))
        .isGreaterThanOrEqualTo(StopTimes.longest(StopTimes.seconds(delay)).toSeconds());
    assertThat(value("SuccessExitStatus")).isEqualTo("143");
    assertThat(value("ExecStart")).contains("-XX:+ExitOnOutOfMemoryError");
    assertThat(value("Restart")).isEqualTo("on-failure");
  }

  /** The programs that it starts are those of this machine here. */
  @Test
  void systemdFindsNoFault() throws Exception {
    Path copy = folder.resolve("angarium-server.service");
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    Files.writeString(copy, Files.readString(UNIT).replace("/usr/bin/java", java));
    if (!isInstalled()) {
      System.out.println(
          "There is no systemd-analyze here; the unit was checked by its keys alone");
      everyDirectiveIsReadInItsSection();
      return;
    }

    assertThat(analyze("verify", "--man=no", copy.toString())).isEmpty();
    assertThat(
            analyze(
                "security",
                "--offline=true",
                "--threshold=" + 10 * EXPOSURE_MAX,
                "--no-pager",
                copy.toString()))
        .contains("Overall exposure level")
        .doesNotContain("exceeds");
    Files.writeString(copy, Files.readString(copy).replace("KillMode=mixed", "KillMod=mixed"));
    assertThat(analyze("verify", "--man=no", copy.toString())).contains("KillMod");
  }

  private static boolean isInstalled() {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
        .anyMatch(each -> Files.isExecutable(Path.of(each, "systemd-analyze")));
  }

  /** What it says about this unit; status and words tell a fault. */
  private static String analyze(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("systemd-analyze"));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    int status = process.waitFor();
    return status == 0 ? said : said + " exceeds or fails: status " + status;
  }
}
