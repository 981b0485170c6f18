package io.angarium.redis;

import io.angarium.inbox.InboxKey;
import io.lettuce.core.RedisClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** A consumer in a JVM of its own, whose work does not end and whose lease is renewed soon. */
final class ClaimingProcess implements AutoCloseable {
  private final Process process;

  private ClaimingProcess(Process process) {
    this.process = process;
  }

  /** Starts it and waits until its work has begun. */
  static ClaimingProcess start(String uri, String prefix, InboxKey key) throws IOException {
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx128m",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            ClaimingProcess.class.getName(),
            uri,
            prefix,
            key.consumer(),
            key.id().toString());
    ClaimingProcess started =
        new ClaimingProcess(new ProcessBuilder(command).redirectErrorStream(true).start());
    boolean working = started.process.inputReader().lines().anyMatch("working"::equals);
    if (!working) {
      throw new IOException("The consumer ended before its work began");
    }
    return started;
  }

  /** Runs the consumer. */
  public static void main(String[] arguments) throws InterruptedException {
    RedisClient client = RedisClient.create(arguments[0]);
    RedisInboxConfig config = RedisLeaseTest.RENEWED.prefix(arguments[1]);
    InboxKey key = new InboxKey(arguments[2], java.util.UUID.fromString(arguments[3]));
    JumpingClock clock = new JumpingClock();
    RedisFixture.assemble(client, config, clock)
        .process(
            key,
            claim -> {
              clock.jump(config.lease().dividedBy(2));
              System.out.println("working");
              new CountDownLatch(1).await();
            });
  }

  /** SIGKILL. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
