package io.angarium.grpc;

import io.angarium.Message;
import io.angarium.half.HalfMessages;
import io.angarium.testkit.ManualClock;
import io.angarium.testkit.memory.InMemoryHalfMessages;
import io.angarium.testkit.tck.HalfMessagesFixture;
import io.angarium.testkit.tck.HalfMessagesTck;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Nested;

/** The contract of half messages, with a network between. */
final class GrpcHalfContractTest {
  @Nested
  final class InMemory implements HalfMessagesTck {
    private final InMemoryFixture fixture = new InMemoryFixture();

    @Override
    public InMemoryFixture fixture() {
      return fixture;
    }
  }

  @Nested
  final class OnH2 implements HalfMessagesTck {
    private final HalfDatabaseFixture fixture = HalfDatabaseFixture.h2();

    @Override
    public HalfDatabaseFixture fixture() {
      return fixture;
    }
  }

  @Nested
  @RequiresServer(Server.POSTGRESQL)
  final class OnPostgres implements HalfMessagesTck {
    private final HalfDatabaseFixture fixture = HalfDatabaseFixture.postgres();

    @Override
    public HalfDatabaseFixture fixture() {
      return fixture;
    }
  }

  private static final class InMemoryFixture implements HalfMessagesFixture {
    private final ManualClock clock = ManualClock.create();
    private final InMemoryHalfMessages real = new InMemoryHalfMessages(clock);
    private final ServedOverGrpc served =
        ServedOverGrpc.start(threads -> new GrpcHalfService(real, threads));
    private final HalfMessages half = another();

    @Override
    public HalfMessages half() {
      return half;
    }

    @Override
    public HalfMessages another() {
      return new GrpcHalfMessages(served.channel(), GrpcHalfScene.PATIENT);
    }

    @Override
    public List<Message> sent() {
      return real.sent();
    }

    @Override
    public Instant now() {
      return clock.advance(Duration.ofMillis(1)).instant();
    }

    @Override
    public void close() {
      served.close();
    }
  }
}
