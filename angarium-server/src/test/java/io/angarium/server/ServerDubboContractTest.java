package io.angarium.server;

import io.angarium.half.HalfMessages;
import io.angarium.testkit.tck.HalfMessagesFixture;
import io.angarium.testkit.tck.HalfMessagesTck;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.SharedServers;
import io.angarium.testservers.TestDatabase;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/** The contract of half messages over Dubbo, against the server on a real database. */
class ServerDubboContractTest {
  private static String[] properties() {
    return new String[] {
      // so that what is on its way stays where it can be seen
      "angarium.relay.enabled=false",
      "angarium.server.dubbo.enabled=true",
      "angarium.server.dubbo.trust-message.enabled=false",
      "angarium.server.dubbo.port=" + DubboShop.freePort()
    };
  }

  /** One and another in turn: each has a Dubbo of its own, which takes its time to start. */
  private static Supplier<HalfMessages> clients(ServerUnderTest server) {
    List<HalfMessages> two =
        List.of(server.dubbo(ServerUnderTest.KEY), server.dubbo(ServerUnderTest.KEY));
    AtomicInteger next = new AtomicInteger();
    return () -> two.get(next.getAndIncrement() % two.size());
  }

  @Nested
  class OnH2 implements HalfMessagesTck {
    private static ServerUnderTest server;
    private static Supplier<HalfMessages> clients;
    private final ServerFixture fixture = new ServerFixture(server, clients);

    @BeforeAll
    static void start() {
      String url = "jdbc:h2:mem:dubbo-contract;DB_CLOSE_DELAY=-1";
      server = ServerUnderTest.guarded(url, "sa", "", properties());
      clients = clients(server);
    }

    @AfterAll
    static void stop() {
      server.close();
    }

    @Override
    public HalfMessagesFixture fixture() {
      return fixture;
    }
  }

  @Nested
  @OnOneJdk
  @RequiresServer(io.angarium.testservers.Server.POSTGRESQL)
  class OnPostgres implements HalfMessagesTck {
    private static ServerUnderTest server;
    private static Supplier<HalfMessages> clients;
    private final ServerFixture fixture = new ServerFixture(server, clients);

    @BeforeAll
    static void start() {
      TestDatabase database = SharedServers.postgres().freshDatabase();
      server =
          ServerUnderTest.guarded(
              database.url(), database.user(), database.password(), properties());
      clients = clients(server);
    }

    @AfterAll
    static void stop() {
      server.close();
    }

    @Override
    public HalfMessagesFixture fixture() {
      return fixture;
    }
  }
}
