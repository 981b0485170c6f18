package io.angarium.canaries;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** "./angarium quickstart" builds little, and still all that the chosen broker needs. */
class LauncherTest {
  private static final Path QUICKSTART =
      Path.of("../../examples/quickstart").toAbsolutePath().normalize();
  private static final Pattern MODULE = Pattern.compile("(?m)^\\[INFO] Building Angarium");
  private static final int MODULES_MAX = 4;

  @ParameterizedTest
  @CsvSource({
    "kafka, Kafka, kafka/KafkaTransport.class, rabbitmq/RabbitTransport.class",
    "rabbitmq, Rabbit, rabbitmq/RabbitTransport.class, kafka/KafkaTransport.class",
    "rocketmq, Rocket, rocketmq/RocketTransport.class, kafka/KafkaTransport.class"
  })
  void launcherCompilesWhatTheBrokerNeeds(
      String broker, String classesOf, String transport, String otherTransport)
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
    assertThat(target.resolve("class-path.txt")).isNotEmptyFile();
  }
}
