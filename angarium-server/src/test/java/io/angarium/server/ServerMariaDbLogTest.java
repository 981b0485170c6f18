package io.angarium.server;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.angarium.Message;
import io.angarium.half.HalfCall;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessage;
import io.angarium.half.HalfMessages;
import io.angarium.half.HalfState;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.SharedServers;
import io.angarium.testservers.TestDatabase;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What MariaDB's driver logs while clients repeat their calls, as they shall. */
@OnOneJdk
@RequiresServer(Server.MARIADB)
class ServerMariaDbLogTest {
  private static HalfCall prepare(String key) {
    return new HalfCall.Prepare(
        HalfMessage.of(new HalfKey("order", key), Message.of("log:orders", new byte[10])));
  }

  @Test
  void repeatedPrepareMakesNoWarningOfTheDriver() {
    TestDatabase database = SharedServers.mariaDb().freshDatabase();
    Logger driver = (Logger) LoggerFactory.getLogger("org.mariadb.jdbc");
    ListAppender<ILoggingEvent> log = new ListAppender<>();
    log.start();
    driver.addAppender(log);
    try (ServerUnderTest server =
        ServerUnderTest.guarded(
            database.url(), database.user(), database.password(), "angarium.relay.enabled=false")) {
      HalfMessages half = server.half();
      half.callAll(List.of(prepare("1"), prepare("2")));
      half.commit(new HalfKey("order", "2"));

      half.callAll(List.of(prepare("1")));
      half.callAll(List.of(prepare("3"), prepare("1"), prepare("2")));

      assertThat(half.state(new HalfKey("order", "1"))).isEqualTo(HalfState.PREPARED);
      assertThat(half.state(new HalfKey("order", "2"))).isEqualTo(HalfState.COMMITTED);
      assertThat(half.state(new HalfKey("order", "3"))).isEqualTo(HalfState.PREPARED);
      assertThat(log.list)
          .filteredOn(event -> event.getLevel().isGreaterOrEqual(Level.WARN))
          .extracting(ILoggingEvent::getFormattedMessage)
          .isEmpty();
    } finally {
      driver.detachAppender(log);
    }
  }
}
