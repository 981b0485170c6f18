package io.angarium.canaries;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** "./angarium quickstart" builds little, and still all that the chosen broker needs. */
class LauncherTest {
  private static final Path QUICKSTART =
      Path.of("../../examples/quickstart").toAbsolutePath().normalize();
  private static final Pattern MODULE = Pattern.compile("(?m)^\\[INFO] Building Angarium");
  private static final int MODULES_MAX = 4;

  /**
   * With Maven's plugins and the jars that only the compiler needs, this is a download of 150 MB.
   */
  private static final long MEGABYTES_MAX = 115;

  @ParameterizedTest
  @CsvSource({
    "kafka, Kafka, kafka/KafkaTransport.class, rabbitmq/RabbitTransport.class, kafka-clients-",
    "rabbitmq, Rabbit, rabbitmq/RabbitTransport.class, kafka/KafkaTransport.class, amqp-client-",
    // Without netty-handler the client only reports that it cannot connect.
    "rocketmq, Rocket, rocketmq/RocketTransport.class, kafka/KafkaTransport.class, netty-handler-"
  })
  void launcherTakesWhatTheBrokerNeeds(
      String broker, String classesOf, String transport, String otherTransport, String jar)
      throws IOException, InterruptedException {
    Path target = QUICKSTART.resolve("target/launcher-" + classesOf);
    PlantedBuild.deleteAll(target);
    List<String> command = new ArrayList<>(MavenCommand.start());
    // Offline, what another repository id once downloaded must do as well.
    command.addAll(List.of("-Dmaven.legacyLocalRepo=true", "-o", "-B"));
    command.addAll(List.of("-f", "launcher.xml", "-P" + broker, "process-classes"));

    String output = MavenCommand.run(command, QUICKSTART, Path.of("target", broker + ".txt"));

    Path classes = target.resolve("classes/io/angarium");
    assertThat(output).contains("BUILD SUCCESS");
    assertThat(MODULE.matcher(output).results()).hasSizeBetween(1, MODULES_MAX);
    assertThat(classes.resolve("quickstart/Quickstart.class")).exists();
    assertThat(classes.resolve(transport)).exists();
    assertThat(classes.resolve(otherTransport)).doesNotExist();
    List<Path> jars = jars(target.resolve("class-path.txt"));
    assertThat(jars).anySatisfy(path -> assertThat(name(path)).startsWith(jar));
    jars.addAll(jars(classes.resolve("testservers/postgresql-jars.txt")));
    if (!broker.equals("rabbitmq")) {
      jars.addAll(jars(classes.resolve("testservers/" + broker + "-jars.txt")));
    }
    assertThat(megabytes(jars)).isBetween(1L, MEGABYTES_MAX);
  }

  private static List<Path> jars(Path list) throws IOException {
    String paths = Files.readString(list).strip();
    return Arrays.stream(paths.split(File.pathSeparator))
        .map(Path::of)
        .collect(Collectors.toCollection(ArrayList::new));
  }

  private static String name(Path path) {
    return String.valueOf(path.getFileName());
  }

  /** What all of them take on the disk, each once. */
  private static long megabytes(List<Path> jars) {
    return jars.stream().distinct().mapToLong(jar -> jar.toFile().length()).sum() / 1_000_000;
  }
}
