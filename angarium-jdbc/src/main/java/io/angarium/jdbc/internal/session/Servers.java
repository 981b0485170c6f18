package io.angarium.jdbc.internal.session;

import io.angarium.TimeSource;
import io.angarium.jdbc.internal.dialect.LeaseSql;
import io.angarium.store.lease.NodeId;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The servers that the connections of one database have led to. A new server, an earlier state of
 * the same one, or a server that stops or begins to tell which one it is, begins a new era;
 * sessions of earlier eras take new connections. Thread-safe.
 */
public final class Servers {
  private static final Logger LOG = LoggerFactory.getLogger(Servers.class);

  /** A server that was left is used again once no other has answered for this long. */
  static final Duration RETURN = Duration.ofSeconds(1);

  /** The era of a connection to a server that was left. */
  public static final int LEFT = -1;

  /**
   * What answers on a connection.
   *
   * @param mark tells it from others; null if it has none
   */
  public record Server(@Nullable String mark, boolean writable) {
    /** A server that cannot be asked. */
    static final Server UNKNOWN = new Server(null, true);

    @Override
    public String toString() {
      return mark == null ? "a server that does not tell which one it is" : "server " + mark;
    }
  }

  private final TimeSource time;
  private final Set<String> left = new HashSet<>();

  /** When each node of this process last expired, as far as a heartbeat was acknowledged. */
  private final Map<UUID, Long> heartbeats = new HashMap<>();

  private final AtomicInteger era = new AtomicInteger();
  private final AtomicInteger renewals = new AtomicInteger();
  private @Nullable Server current;
  private @Nullable String lastMark;
  private @Nullable Long refusedSinceNanos;

  Servers(TimeSource time) {
    this.time = time;
  }

  /** Rises with each other server, and with each earlier state of the same one. */
  public int era() {
    return era.get();
  }

  /** Rises when all sessions are to take new connections. */
  int renewals() {
    return renewals.get();
  }

  /** Makes all sessions take new connections, and ask again where those lead. */
  public void renew() {
    renewals.incrementAndGet();
  }

  /**
   * Takes note of the server on a connection.
   *
   * @return the era of the connection, or {@link #LEFT}
   */
  public synchronized int meet(Server server) {
    if (!server.writable()) {
      return era.get(); // nobody works there, so it keeps no other from being used again
    }
    String mark = server.mark();
    if (mark != null && left.contains(mark) && !isBack()) {
      return LEFT;
    }
    refusedSinceNanos = null;
    Server before = current;
    current = server;
    if (mark != null) {
      settleOn(mark);
    }
    if (before == null || before.equals(server)) {
      return era.get();
    }
    LOG.info("Connections lead to {} now (before: {}).", server, before);
    return beginEra();
  }

  /** Without it, sessions behind a balancer would renew each other for ever. */
  private boolean isBack() {
    long now = time.nanoTime();
    if (refusedSinceNanos == null) {
      refusedSinceNanos = now;
    }
    return now - refusedSinceNanos >= RETURN.toNanos();
  }

  /** Leaves the server that told last, if it is another one. */
  private void settleOn(String mark) {
    if (lastMark != null) {
      left.add(lastMark);
    }
    left.remove(mark);
    lastMark = mark;
  }

  private int beginEra() {
    heartbeats.clear();
    return era.incrementAndGet();
  }

  /** Notes what the server keeps of an acknowledged heartbeat. */
  public synchronized void noteHeartbeat(NodeId node, long expiresAtMicros) {
    heartbeats.put(node.incarnation(), expiresAtMicros);
  }

  /** Forgets the heartbeats of a node: its row may change without one. */
  public synchronized void forgetHeartbeat(NodeId node) {
    heartbeats.remove(node.incarnation());
  }

  /** Forgets all heartbeats: rows may have changed without one. */
  public synchronized void forgetHeartbeats() {
    heartbeats.clear();
  }

  /** What was noted last of a node's heartbeat; 0 if nothing was. */
  public synchronized long heartbeat(NodeId node) {
    return heartbeats.getOrDefault(node.incarnation(), 0L);
  }

  /**
   * Tells whether the server lacks a heartbeat that it has acknowledged. Then a backup was
   * restored, and a new era begins. Blocks for one statement per node of this process.
   */
  public boolean isRestored(Connection connection, LeaseSql leases) throws SQLException {
    Map<UUID, Long> noted;
    synchronized (this) {
      noted = Map.copyOf(heartbeats);
    }
    for (Map.Entry<UUID, Long> node : noted.entrySet()) {
      List<Long> kept = leases.expiresAt(node.getKey()).query(connection, row -> row.getLong(1));
      if (kept.isEmpty() || kept.get(0) < node.getValue()) {
        restored(node.getKey(), node.getValue());
        return true;
      }
    }
    return false;
  }

  private synchronized void restored(UUID incarnation, long noted) {
    if (Long.valueOf(noted).equals(heartbeats.get(incarnation))) { // else another one was first
      LOG.info("The database lacks a heartbeat that it has acknowledged: a backup was restored.");
      beginEra();
    }
  }
}
