package io.angarium.server;

import io.angarium.testkit.tck.HalfMessagesFixture;
import io.angarium.testkit.tck.HalfMessagesTck;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.SharedServers;
import io.angarium.testservers.TestDatabase;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/** The contract of half messages over HTTP, against the server on a real database. */
class ServerContractTest {
  /** So that what is on its way stays where it can be seen. */
  private static final String NO_RELAY = "angarium.relay.enabled=false";

  @Nested
  class OnH2 implements HalfMessagesTck {
    private static ServerUnderTest server;
    private final ServerFixture fixture = new ServerFixture(server, server::half);

    @BeforeAll
    static void start() {
      server = ServerUnderTest.open(NO_RELAY);
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
  @RequiresServer(io.angarium.testservers.Server.MARIADB)
  class OnMariaDb implements HalfMessagesTck {
    private static ServerUnderTest server;
    private final ServerFixture fixture = new ServerFixture(server, server::half);

    @BeforeAll
    static void start() {
      TestDatabase database = SharedServers.mariaDb().freshDatabase();
      server =
          ServerUnderTest.guarded(database.url(), database.user(), database.password(), NO_RELAY);
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
  @RequiresServer(io.angarium.testservers.Server.MYSQL)
  class OnMySql implements HalfMessagesTck {
    private static ServerUnderTest server;
    private final ServerFixture fixture = new ServerFixture(server, server::half);

    @BeforeAll
    static void start() {
      TestDatabase database = SharedServers.mySql().freshDatabase();
      server =
          ServerUnderTest.guarded(database.url(), database.user(), database.password(), NO_RELAY);
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
  @RequiresServer(io.angarium.testservers.Server.POSTGRESQL)
  class OnPostgres implements HalfMessagesTck {
    private static ServerUnderTest server;
    private final ServerFixture fixture = new ServerFixture(server, server::half);

    @BeforeAll
    static void start() {
      TestDatabase database = SharedServers.postgres().freshDatabase();
      server =
          ServerUnderTest.guarded(database.url(), database.user(), database.password(), NO_RELAY);
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
