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

/** The contract of half messages over gRPC, against the server on a real database. */
class ServerGrpcContractTest {
  /** So that what is on its way stays where it can be seen. */
  private static final String[] GRPC = {
    "angarium.relay.enabled=false",
    "angarium.server.grpc.enabled=true",
    "angarium.server.grpc.port=0"
  };

  @Nested
  class OnH2 implements HalfMessagesTck {
    private static ServerUnderTest server;
    private final ServerFixture fixture = new ServerFixture(server, () -> server.grpc(null));

    @BeforeAll
    static void start() {
      server = ServerUnderTest.open(GRPC);
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
    private final ServerFixture fixture =
        new ServerFixture(server, () -> server.grpc(ServerUnderTest.KEY));

    @BeforeAll
    static void start() {
      TestDatabase database = SharedServers.postgres().freshDatabase();
      server = ServerUnderTest.guarded(database.url(), database.user(), database.password(), GRPC);
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
