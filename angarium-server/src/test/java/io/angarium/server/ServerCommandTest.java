package io.angarium.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.server.start.CommandLine;
import io.angarium.testservers.FreePort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The server as a command: each test starts the process that its user would. */
class ServerCommandTest {
  private static final Path SCRIPT = Path.of("../angarium").toAbsolutePath().normalize();

  private static final Pattern PROGRAM = Pattern.compile("\\./angarium (\\S+) \\[options]");

  private static final Map<String, String> HELP_BEGINS =
      Map.of(
          "quickstart", "Options of the quickstart:",
          "order-stock", "Options of order-stock:",
          "message-centre", "Options of message-centre:",
          "console-demo", "Options of console-demo:",
          "server", "Usage: ./angarium server",
          "image", "Usage: ./angarium image");

  private static final List<String> HELP_FORMS =
      List.of("help %s", "--help %s", "-h %s", "%s help", "%s --help", "%s -h", "%s --no=1 --help");

  @TempDir private Path folder;

  /** What a start that fails says, after it has ended. */
  private record Ended(int status, List<String> lines) {}

  private Ended run(String... options) {
    try (ServerProcess process = new ServerProcess(folder, List.of(options))) {
      int status = process.exitStatus();
      return new Ended(status, process.output().lines().filter(each -> !each.isBlank()).toList());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--help",
        "help",
        "-h",
        "--server.port=0 --help",
        "--no.such=1 help --server.port=0"
      })
  void helpIsFoundAnywhere(String arguments) {
    Ended ended = run(arguments.split(" "));

    assertThat(ended.status()).isZero();
    assertThat(ended.lines().get(0)).startsWith("Usage: ./angarium server");
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void everythingThatIsNotUnderstoodIsNamed() {
    Ended ended =
        run(
            "start",
            "--port=9000",
            "--server.prot=9000",
            "--spring.datasource.usrname=sa",
            "server.port=9000",
            "-Dserver.port=9000",
            "--server.max-http-header-size=8KB",
            "--server.max-http-post-size=1MB",
            "--server.undecided-max=3",
            "--anagrium.server.undecided-max=3",
            "--server.address",
            "127.0.0.1",
            "--my.own.value=1");

    assertThat(ended.status()).isEqualTo(2);
    assertThat(ended.lines())
        .containsExactly(
            "unknown command 'start' (expected: options, each as --name=value)",
            "unknown option --port (did you mean --server.port?)",
            "unknown option --server.prot (did you mean --server.port?)",
            "unknown option --spring.datasource.usrname (did you mean"
                + " --spring.datasource.username?)",
            "'server.port=9000' is no option (did you mean --server.port=9000?)",
            "'-Dserver.port=9000' is no option (did you mean --server.port=9000?)",
            "option --server.max-http-header-size was removed from Spring Boot (expected:"
                + " --server.max-http-request-header-size)",
            "option --server.max-http-post-size was removed from Spring Boot (expected:" + " none)",
            "unknown option --server.undecided-max (did you mean --angarium.server.undecided-max?)",
            "unknown option --anagrium.server.undecided-max (did you mean"
                + " --angarium.server.undecided-max?)",
            "'127.0.0.1' is no option (did you mean --server.address=127.0.0.1?)",
            "unknown option --my.own.value (expected: a property of docs/server.md or Spring Boot;"
                + " a value of your own for ${...} goes into application.properties or the"
                + " environment)",
            "--help lists what there is.");
    assertThat(folder).isEmptyDirectory();
  }

  /** What pages and other parts of this project give the server. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "--server.port=1",
        "--SERVER_PORT.x=1",
        "--server.tomcat.maxConnections=9",
        "--spring.kafka.bootstrap-servers=a:1",
        "--spring.kafka.properties[sasl.mechanism]=PLAIN",
        "--spring.rabbitmq.host=a",
        "--rocketmq.name-server=a",
        "--logging.level.io.angarium=debug",
        "--spring.config.additional-location=x",
        "--spring.profiles.active=a",
        "--management.server.port=1",
        "--server.ssl.bundle=a",
        "--spring.ssl.bundle.pem.web.keystore.certificate=a",
        "--spring.datasource.hikari.maximum-pool-size=3",
        "--debug",
        "--server.ssl.ciphers[0]=a",
        "--server.compression.mime-types[0]=text/plain",
        "--server.compression.mime-types=text/plain",
        "--spring.application.json={}",
        "--spring.config.on-not-found=ignore",
        "--angarium.checked.later=1"
      })
  void knownOptionsAreTaken(String option) {
    boolean known = !option.startsWith("--SERVER");

    assertThat(CommandLine.of(List.of(option)).faults()).hasSize(known ? 0 : 1);
  }

  @ParameterizedTest
  @CsvSource({
    "server.port, ''",
    "management.server.port, --management.server.address=127.0.0.1 --server.port=0",
    "angarium.server.grpc.port, --angarium.server.grpc.enabled=true --server.port=0"
  })
  void portThatIsTakenIsToldBeforeAnythingStarts(String property, String more) throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = taken.getLocalPort();
      List<String> options = new ArrayList<>(List.of("--" + property + "=" + port));
      options.addAll(List.of(more.split(" ")).stream().filter(each -> !each.isEmpty()).toList());

      Ended ended = run(options.toArray(String[]::new));

      assertThat(ended.status()).isEqualTo(1);
      assertThat(ended.lines()).hasSize(2);
      assertThat(ended.lines().get(0))
          .startsWith("The server cannot start. Port " + port + " of 127.0.0.1 cannot be used: ");
      assertThat(ended.lines().get(1)).endsWith("--" + property + "=" + (port + 1));
      assertThat(folder).isEmptyDirectory();
    }
  }

  @Test
  void portOfTwoWaysIsToldBeforeAnythingStarts() throws IOException {
    int port = portOfNobody();

    Ended ended =
        run(
            "--server.port=" + port,
            "--angarium.server.grpc.enabled=true",
            "--angarium.server.grpc.port=" + port);

    assertThat(ended.status()).isEqualTo(1);
    assertThat(ended.lines())
        .containsExactly(
            "The server cannot start. Port %d of 127.0.0.1 cannot be used: server.port has it."
                .formatted(port),
            "Choose another port: --angarium.server.grpc.port=" + (port + 1));
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void secondServerOnTheSameFileIsToldInThreeLines() {
    try (ServerProcess first = new ServerProcess(folder, List.of("--server.port=0"))) {
      first.address();

      Ended second = run("--server.port=0");

      assertThat(second.status()).isEqualTo(1);
      assertThat(second.lines()).hasSize(3);
      assertThat(second.lines().get(0))
          .isEqualTo(
              "The server cannot start. Failed opening the outbox's database. Data source:"
                  + " jdbc:h2:file:./angarium-data/outbox, user 'sa'");
      assertThat(second.lines().get(1)).contains("Database may be already in use");
      assertThat(second.lines().get(2))
          .startsWith("Stop the other process that has the file.")
          .contains("PostgreSQL")
          .endsWith("spring.datasource.url.");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jdbc:postgresql://127.0.0.1:%d/none",
        "jdbc:mariadb://127.0.0.1:%d/none",
        "jdbc:mysql://127.0.0.1:%d/none"
      })
  void databaseThatIsAwayIsToldInThreeLines(String url) throws IOException {
    Ended ended =
        run(
            "--server.port=0",
            "--spring.datasource.url=" + url.formatted(portOfNobody()),
            "--angarium.server.api-keys.shop.hashes=" + ServerUnderTest.HASH,
            "--angarium.server.api-keys.shop.businesses=*",
            "--angarium.server.api-keys.shop.destinations=*");

    assertThat(ended.status()).isEqualTo(1);
    assertThat(ended.lines()).hasSize(3);
    assertThat(ended.lines().get(0)).contains("Data source: " + url.substring(0, 12));
    assertThat(ended.lines().get(1)).contains("Answer: ");
    assertThat(ended.lines().get(2)).startsWith("Start the database, or correct spring.datasource");
  }

  private static int portOfNobody() {
    return FreePort.find();
  }

  @Test
  void scriptReadsThePropertiesOfTheFolderItIsCalledFrom() throws IOException {
    Path home = home();
    Path caller = Files.createDirectory(folder.resolve("caller"));
    Files.writeString(
        caller.resolve("application.properties"),
        "server.port=0\nspring.datasource.url=jdbc:h2:file:./kept-here/outbox\n");

    try (ServerProcess server = script(home, caller, "server")) {
      server.address();

      server.awaitOutput("jdbc:h2:file:./kept-here/outbox");
      assertThat(caller.resolve("kept-here")).isNotEmptyDirectory();
      assertThat(home.resolve("angarium-data")).doesNotExist();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "help | 0 | Usage: ./angarium quickstart",
        "--help | 0 | Usage: ./angarium quickstart",
        "-h | 0 | Usage: ./angarium quickstart",
        "help --help | 0 | Usage: ./angarium quickstart",
        "help server | 0 | Usage: ./angarium server",
        "--help server | 0 | Usage: ./angarium server",
        "server --server.port=0 --help | 0 | Usage: ./angarium server",
        "quickstart --help | 0 | Options of the quickstart:",
        "help quickstart | 0 | Options of the quickstart:",
        "quickstart --broker kafka --help | 0 | Options of the quickstart:",
        "quickstart --broker kafak -h | 0 | Options of the quickstart:",
        "order-stock --orders=7 help | 0 | Options of order-stock:",
        "message-centre --help --no-such | 0 | Options of message-centre:",
        "console-demo --port=0 --help | 0 | Options of console-demo:",
        "console-deno | 2 | Unknown command 'console-deno' (did you mean console-demo?)",
        "servre | 2 | Unknown command 'servre' (did you mean server?)",
        "quick-start | 2 | Unknown command 'quick-start' (did you mean quickstart?)",
        "brew | 2 | Unknown command 'brew'",
        "help brew | 2 | Unknown command 'brew'",
        "--help servre | 2 | Unknown command 'servre' (did you mean server?)",
        "--server.port=0 | 2 | Unknown command '--server.port=0'",
        "server --server.prot=0 | 2 | unknown option --server.prot (did you mean"
      })
  void scriptNamesWhatItDoesNotUnderstand(String arguments, int status, String first)
      throws IOException {
    try (ServerProcess script = script(home(), folder, arguments.split(" "))) {
      assertThat(script.exitStatus()).isEqualTo(status);
      assertThat(script.output().lines().findFirst().orElse("")).startsWith(first);
    }
  }

  /** Without a Java nothing can be built or started. */
  @Test
  void helpOfEachProgramStartsNothing() throws IOException {
    Path home = home();
    Map<String, String> noJava = Map.of("JAVA_HOME", folder.resolve("no-java").toString());
    try (ServerProcess usage = ServerProcess.of(folder, command(home, "help"), noJava)) {
      assertThat(usage.exitStatus()).isZero();
      assertThat(PROGRAM.matcher(usage.output()).results().map(each -> each.group(1)))
          .containsExactlyInAnyOrderElementsOf(HELP_BEGINS.keySet());
    }
    for (Map.Entry<String, String> program : HELP_BEGINS.entrySet()) {
      for (String form : HELP_FORMS) {
        String arguments = form.formatted(program.getKey());
        List<String> command = command(home, arguments.split(" "));
        try (ServerProcess help = ServerProcess.of(folder, command, noJava)) {
          assertThat(help.exitStatus()).as(arguments).isZero();
          assertThat(help.output()).as(arguments).startsWith(program.getValue());
        }
      }
    }
  }

  private static List<String> command(Path home, String... arguments) {
    List<String> command = new ArrayList<>(List.of("sh", home.resolve("angarium").toString()));
    command.addAll(List.of(arguments));
    return command;
  }

  @Test
  void helpOfAProgramIsWholeAndBuildsNothing() throws IOException {
    try (ServerProcess script = script(home(), folder, "quickstart", "--port", "0", "--help")) {
      assertThat(script.exitStatus()).isZero();
      assertThat(script.output().lines())
          .startsWith("Options of the quickstart:")
          .endsWith("  --help                 print this");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void scriptIsFoundThroughSymbolicLinks(boolean relative) throws IOException {
    Path script = home().resolve("angarium");
    Path commands = Files.createDirectory(folder.resolve("commands"));
    Path first = commands.resolve("first");
    Path second = folder.resolve("second");
    Files.createSymbolicLink(first, relative ? commands.relativize(script) : script);
    Files.createSymbolicLink(second, relative ? folder.relativize(first) : first);

    try (ServerProcess called = called(second, script.getParent(), folder, "server", "--help")) {
      assertThat(called.exitStatus()).isZero();
      assertThat(called.output()).startsWith("Usage: ./angarium server");
    }
  }

  /** A repository that is built, with the script of this one. */
  private Path home() throws IOException {
    Path home = Files.createDirectory(folder.resolve("home"));
    Path target = Files.createDirectories(home.resolve("angarium-server/target"));
    Files.copy(SCRIPT, home.resolve("angarium"));
    Files.createSymbolicLink(target.resolve("classes"), Path.of("target/classes").toAbsolutePath());
    Files.createSymbolicLink(home.resolve("examples"), SCRIPT.resolveSibling("examples"));
    Path deploy = Files.createDirectory(home.resolve("deploy"));
    Files.createSymbolicLink(deploy.resolve("src"), SCRIPT.resolveSibling("deploy/src"));
    Files.createSymbolicLink(
        home.resolve("angarium-server/src"), SCRIPT.resolveSibling("angarium-server/src"));
    String entries = System.getProperty("java.class.path");
    Files.writeString(target.resolve("class-path.txt"), entries);
    Files.writeString(target.resolve("class-path-full.txt"), entries);
    Path commands = Files.createDirectory(home.resolve("bin"));
    Files.createFile(commands.resolve("mvn")).toFile().setExecutable(true);
    return home;
  }

  private static ServerProcess script(Path home, Path caller, String... arguments) {
    return called(home.resolve("angarium"), home, caller, arguments);
  }

  private static ServerProcess called(Path script, Path home, Path caller, String... arguments) {
    List<String> command = new ArrayList<>(List.of("sh", script.toString()));
    command.addAll(List.of(arguments));
    return ServerProcess.of(
        caller,
        command,
        Map.of(
            "JAVA_HOME",
            System.getProperty("java.home"),
            "PATH",
            home.resolve("bin") + ":" + System.getenv("PATH")));
  }
}
