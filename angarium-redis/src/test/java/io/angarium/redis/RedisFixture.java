package io.angarium.redis;

import io.angarium.testkit.InboxFixture;
import io.angarium.testservers.RedisServer;
import io.lettuce.core.RedisClient;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Two inboxes on the same keys of one Redis, as two processes have them. */
final class RedisFixture implements InboxFixture<RedisClaim> {
  private static final AtomicInteger PREFIXES = new AtomicInteger();

  private final RedisServer server;
  private final RedisInboxConfig config;
  private final RedisClient client;
  private final RedisInbox inbox;
  private final RedisInbox another;
  private final List<String> written = new CopyOnWriteArrayList<>();

  RedisFixture(RedisServer server, RedisInboxConfig config) {
    this.server = server;
    this.config = config.prefix(newPrefix());
    this.client = RedisClient.create(server.uri());
    this.inbox = RedisInbox.open(client, this.config);
    this.another = RedisInbox.open(client, this.config);
  }

  /** A named server may keep the keys of earlier runs. */
  static String newPrefix() {
    return "test-" + ProcessHandle.current().pid() + "-" + PREFIXES.incrementAndGet();
  }

  RedisInboxConfig config() {
    return config;
  }

  RedisServer server() {
    return server;
  }

  RedisClient client() {
    return client;
  }

  @Override
  public RedisInbox inbox() {
    return inbox;
  }

  @Override
  public RedisInbox another() {
    return another;
  }

  @Override
  public boolean undoesFailedWork() {
    return false;
  }

  @Override
  public void write(RedisClaim claim, String line) {
    written.add(line);
  }

  @Override
  public List<String> written() {
    return List.copyOf(written);
  }

  @Override
  public void close() {
    inbox.close();
    another.close();
    client.shutdown();
  }
}
