package io.angarium.testservers;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * One connection through a proxy: for each direction a thread that reads and one that writes, with
 * a queue in between, so that latency delays bytes without limiting how many are under way.
 */
final class ProxiedConnection {
  private static final int CHUNK_BYTES = 16 * 1024;
  private static final int CHUNKS_MAX = 256;
  private static final int LOOK_MILLIS = 100;

  /** While the bandwidth is limited: else the sender would be rid of all of it at once. */
  private static final int CHUNKS_MAX_NARROW = 4;

  private final Socket client;
  private final Socket server;
  private final Faults faults;
  private final Runnable cutAll;
  private final Consumer<ProxiedConnection> onEnd;
  private volatile boolean cut;

  /** Bytes on their way; an empty chunk is the orderly end. */
  private record Chunk(ByteBuffer bytes, long arrivedNanos) {
    boolean isEnd() {
      return !bytes.hasRemaining();
    }
  }

  ProxiedConnection(
      Socket client,
      Socket server,
      Faults faults,
      Runnable cutAll,
      Consumer<ProxiedConnection> onEnd) {
    this.client = client;
    this.server = server;
    this.faults = faults;
    this.cutAll = cutAll;
    this.onEnd = onEnd;
  }

  void start() throws IOException {
    client.setTcpNoDelay(true);
    server.setTcpNoDelay(true);
    direct(FaultProxy.Way.TO_SERVER, client, server);
    direct(FaultProxy.Way.TO_CLIENT, server, client);
  }

  private void direct(FaultProxy.Way way, Socket from, Socket to) {
    BlockingQueue<Chunk> underWay = new LinkedBlockingQueue<>(CHUNKS_MAX);
    run(way + "-read", () -> read(from, underWay));
    run(way + "-write", () -> write(way, underWay, to));
  }

  private void run(String name, Step step) {
    Thread thread =
        new Thread(
            () -> {
              try {
                step.run();
              } catch (IOException | InterruptedException e) {
                // One side went away: the other must see it.
                cut();
              }
            },
            "fault-proxy-" + name);
    thread.setDaemon(true);
    thread.start();
  }

  private void read(Socket from, BlockingQueue<Chunk> underWay)
      throws IOException, InterruptedException {
    InputStream in = from.getInputStream();
    byte[] buffer = new byte[CHUNK_BYTES];
    for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
      put(underWay, ByteBuffer.wrap(Arrays.copyOf(buffer, read)));
    }
    put(underWay, ByteBuffer.allocate(0));
  }

  private void put(BlockingQueue<Chunk> underWay, ByteBuffer bytes) throws InterruptedException {
    while (!cut && underWay.size() >= CHUNKS_MAX_NARROW && faults.isNarrow()) {
      faults.awaitChange(LOOK_MILLIS);
    }
    Chunk chunk = new Chunk(bytes, System.nanoTime());
    while (!cut && !underWay.offer(chunk, LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
      // The queue is full: nothing more is read until there is room, or until the cut.
    }
  }

  /** The next chunk, or the end when the connection was cut. */
  private Chunk take(BlockingQueue<Chunk> underWay) throws InterruptedException {
    while (!cut) {
      Chunk chunk = underWay.poll(LOOK_MILLIS, TimeUnit.MILLISECONDS);
      if (chunk != null) {
        return chunk;
      }
    }
    return new Chunk(ByteBuffer.allocate(0), System.nanoTime());
  }

  private void write(FaultProxy.Way way, BlockingQueue<Chunk> underWay, Socket to)
      throws IOException, InterruptedException {
    OutputStream out = to.getOutputStream();
    for (Chunk chunk = take(underWay); !chunk.isEnd(); chunk = take(underWay)) {
      faults.awaitTurn(way, chunk.arrivedNanos(), () -> cut);
      faults.awaitTransfer(chunk.bytes().remaining(), () -> cut);
      if (cut) {
        return;
      }
      Faults.Passage passage = faults.pass(way, chunk.bytes().remaining());
      out.write(chunk.bytes().array(), 0, passage.bytes());
      if (passage.cut()) {
        cutAll.run();
        return;
      }
    }
    faults.awaitTurn(way, System.nanoTime(), () -> cut);
    if (!cut) {
      finish(to);
    }
  }

  /** Passes an orderly end on; when both directions have ended, the connection is over. */
  private void finish(Socket to) throws IOException {
    to.shutdownOutput();
    if (client.isOutputShutdown() && server.isOutputShutdown()) {
      client.close();
      server.close();
      onEnd.accept(this);
    }
  }

  /** Breaks the connection for both sides. */
  void cut() {
    cut = true;
    reset(client);
    reset(server);
    faults.wake();
    onEnd.accept(this);
  }

  /** Closes a socket so that the other end sees a reset instead of an orderly end. */
  static void reset(Socket socket) {
    try {
      socket.setSoLinger(true, 0);
    } catch (IOException e) {
      // Closed already, which is what is wanted.
    }
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot close a socket of the proxy", e);
    }
  }

  private interface Step {
    void run() throws IOException, InterruptedException;
  }
}
