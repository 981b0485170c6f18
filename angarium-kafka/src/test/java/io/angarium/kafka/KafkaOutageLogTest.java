package io.angarium.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@OnOneJdk
@RequiresServer(Server.KAFKA)
class KafkaOutageLogTest {
  @AfterEach
  void heal() {
    TestBroker.server().proxy().heal();
  }

  @Test
  void anOutageLogsAtMostAFifthMoreThanAPlainProducer() throws Exception {
    Duration outage = Duration.ofSeconds(40);
    String servers = TestBroker.server().bootstrapServers();
    try (OutageLogProcess relay = OutageLogProcess.start("relay", servers, outage);
        OutageLogProcess plain = OutageLogProcess.start("plain", servers, outage)) {
      TestBroker.server().proxy().refuse();
      relay.down();
      plain.down();

      List<String> ours = relay.lines();
      List<String> theirs = plain.lines();

      assertThat(theirs).isNotEmpty();
      assertThat(ours)
          .as("%d lines, a plain producer %d", ours.size(), theirs.size())
          .hasSizeLessThanOrEqualTo(theirs.size() * 6 / 5); // their pauses are drawn by chance
    }
  }
}
