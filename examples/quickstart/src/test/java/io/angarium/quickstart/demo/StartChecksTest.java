package io.angarium.quickstart.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.quickstart.demo.Arguments.BrokerChoice;
import io.angarium.quickstart.demo.Arguments.DatabaseChoice;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StartChecksTest {
  @TempDir Path folder;

  @Test
  void aFullDiskIsNamedWithWhatIsFreeAndWhatIsNeeded() {
    long more = Long.MAX_VALUE >> 20;

    assertThatThrownBy(() -> StartChecks.checkDisk(folder, more))
        .isInstanceOf(StartupException.class)
        .hasMessageContaining(folder.toString())
        .hasMessageContaining(more + " MB are needed")
        .hasMessageContaining("TMPDIR=");
  }

  @Test
  void aFolderThatCannotBeWrittenIsNamed() {
    Path missing = folder.resolve("missing");

    assertThatThrownBy(() -> StartChecks.checkDisk(missing, 1))
        .isInstanceOf(StartupException.class)
        .hasMessageContaining(missing + " cannot be written");
  }

  @Test
  void bothNamesOfThePortAreUnderstood() {
    assertThat(Arguments.parse("--port=81").port()).isEqualTo(81);
    assertThat(Arguments.parse("--server.port=82").port()).isEqualTo(82);
    assertThat(Arguments.parse().port()).isEqualTo(8080);
    assertThat(Arguments.parse("--database=h2").database()).isEqualTo(DatabaseChoice.H2);
  }

  @Test
  void aValueMayStandBehindAnEqualsSignOrByItself() {
    assertThat(Arguments.parse().broker()).isEqualTo(BrokerChoice.KAFKA);
    assertThat(Arguments.parse("--broker=rabbitmq").broker()).isEqualTo(BrokerChoice.RABBITMQ);
    Arguments apart = Arguments.parse("--broker", "rocketmq", "--port", "83");
    assertThat(apart.broker()).isEqualTo(BrokerChoice.ROCKETMQ);
    assertThat(apart.port()).isEqualTo(83);
  }

  @Test
  void whatIsNotUnderstoodIsNamedWithWhatIsExpected() {
    assertThatThrownBy(() -> Arguments.parse("--port=abc"))
        .isInstanceOf(StartupException.class)
        .hasMessageContaining("--port=abc (expected: a port, 0..65535)");
    assertThatThrownBy(() -> Arguments.parse("--database=oracle"))
        .hasMessageContaining("--database=oracle (expected: postgresql or h2)");
    assertThatThrownBy(() -> Arguments.parse("--broker=carrier-pigeon"))
        .hasMessageContaining("--broker=carrier-pigeon (expected: kafka, rabbitmq or rocketmq)");
    assertThatThrownBy(() -> Arguments.parse("--port=1", "--broker"))
        .hasMessageContaining("--broker= (expected: kafka, rabbitmq or rocketmq)");
    assertThatThrownBy(() -> Arguments.parse("--speed=11"))
        .hasMessageContaining("Unknown argument: --speed=11")
        .hasMessageContaining("--port=8080");
  }
}
