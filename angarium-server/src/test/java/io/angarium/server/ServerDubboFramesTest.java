package io.angarium.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Message;
import io.angarium.StoreException;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessage;
import io.angarium.half.HalfMessages;
import io.angarium.half.HalfState;
import io.angarium.server.bodies.BodyMemory;
import io.angarium.server.dubbo.DubboBounds;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What comes to the port of Dubbo from those whom nobody knows: frames over plain sockets. */
class ServerDubboFramesTest {
  private static final String DUBBO = "angarium.server.dubbo.";
  private static final int SEVEN_MB = 7 << 20;
  private static final int CONNECTIONS_MAX = 150;
  private static final int REQUEST = 0x80;
  private static final int TWO_WAY = 0x40;
  private static final int EVENT = 0x20;
  private static final int HESSIAN = 2;
  private static final int FASTJSON = 23;
  private static final int UNKNOWN = 31;
  private static final long LIMIT_SECONDS = 90;

  private final int port = DubboShop.freePort();
  private final List<ServerUnderTest> started = new ArrayList<>();
  private final List<Socket> sockets = new ArrayList<>();

  @AfterEach
  void stop() throws IOException {
    for (Socket each : sockets) {
      each.close();
    }
    started.forEach(ServerUnderTest::close);
  }

  private ServerUnderTest start() {
    return start(CONNECTIONS_MAX);
  }

  /** With so many connections for one address, which has half of them. */
  private ServerUnderTest start(int connectionsMax) {
    List<String> properties =
        new ArrayList<>(
            List.of(
                "angarium.relay.enabled=false",
                DUBBO + "enabled=true",
                DUBBO + "port=" + port,
                DUBBO + "connections=" + 2 * connectionsMax,
                DUBBO + "trust-message.enabled=false",
                "angarium.server.api-keys.tests.hashes=" + ServerUnderTest.HASH,
                "angarium.server.api-keys.tests.businesses=*",
                "angarium.server.api-keys.tests.destinations=*"));
    ServerUnderTest server = ServerUnderTest.open(properties.toArray(String[]::new));
    started.add(server);
    return server;
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout((int) TimeUnit.SECONDS.toMillis(LIMIT_SECONDS));
    sockets.add(socket);
    return socket;
  }

  private Socket send(byte[]... parts) throws IOException {
    Socket socket = connect();
    for (byte[] part : parts) {
      try {
        socket.getOutputStream().write(part);
      } catch (IOException e) {
        return socket; // it was closed meanwhile
      }
    }
    return socket;
  }

  private static byte[] head(int flags, long id, int bodyBytes) {
    ByteBuffer head = ByteBuffer.allocate(16).putShort((short) 0xdabb).put((byte) flags);
    return head.put((byte) 0).putLong(id).putInt(bodyBytes).array();
  }

  /** What comes until the other side closes the connection. */
  private static String untilItIsClosed(Socket socket) throws IOException {
    StringBuilder received = new StringBuilder();
    byte[] buffer = new byte[8_192];
    try {
      InputStream in = socket.getInputStream();
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        received.append(new String(buffer, 0, read, StandardCharsets.ISO_8859_1));
      }
    } catch (SocketTimeoutException e) {
      throw new AssertionError("It is still open after " + LIMIT_SECONDS + " s", e);
    } catch (IOException e) {
      return received.toString(); // reset: closed with bytes that were not read
    }
    return received.toString();
  }

  /** A whole answer: a head, and the body that it announces. */
  private static String answer(Socket socket) throws IOException {
    InputStream in = socket.getInputStream();
    byte[] head = in.readNBytes(16);
    assertThat(head).hasSize(16);
    return new String(in.readNBytes(ByteBuffer.wrap(head).getInt(12)), StandardCharsets.ISO_8859_1);
  }

  private static void prepare(ServerUnderTest server, String key) {
    HalfMessages producer =
        server.dubbo(config -> config.apiKey(ServerUnderTest.KEY).answer(Duration.ofSeconds(5)));
    HalfMessage message =
        HalfMessage.of(new HalfKey("7", key), Message.of("log:orders", new byte[1]));
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
    while (true) {
      try {
        assertThat(producer.prepare(message)).isEqualTo(HalfState.PREPARED);
        return;
      } catch (StoreException e) {
        assertThat(System.nanoTime()).as("%s", e).isLessThan(deadline);
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
      }
    }
  }

  private static void await(BooleanSupplier done) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
    while (!done.getAsBoolean()) {
      assertThat(System.nanoTime()).isLessThan(deadline);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
  }

  @Test
  void announcedBodiesThatDoNotComeOrTrickleAreClosedAndProducersAreAnswered() throws Exception {
    ServerUnderTest server = start();
    DubboBounds bounds = server.bean(DubboBounds.class);
    List<Socket> silent = new ArrayList<>();
    for (int i = 0; i < CONNECTIONS_MAX; i++) {
      silent.add(send(head(REQUEST | TWO_WAY | FASTJSON, i, SEVEN_MB), new byte[1_024]));
    }
    await(() -> bounds.connections() == CONNECTIONS_MAX);
    Thread trickle = trickle(silent.get(0));

    for (int i = 0; i < 50; i++) {
      assertThat(untilItIsClosed(send(head(REQUEST | TWO_WAY | FASTJSON, i, SEVEN_MB)))).isEmpty();
    }
    assertThat(bounds.connections()).isLessThanOrEqualTo(CONNECTIONS_MAX);

    prepare(server, "beside silent ones");
    for (Socket each : silent) {
      assertThat(untilItIsClosed(each)).isEmpty();
    }
    trickle.join(TimeUnit.SECONDS.toMillis(LIMIT_SECONDS));
    assertThat(trickle.isAlive()).isFalse();
    await(() -> bounds.connections() <= 1); // that of the producer
    await(() -> server.bean(BodyMemory.class).taken() == 0);
  }

  /** Sends a byte now and then, until the connection is closed. */
  private static Thread trickle(Socket socket) {
    Thread trickle =
        new Thread(
            () -> {
              try {
                while (true) {
                  socket.getOutputStream().write('x');
                  LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
                }
              } catch (IOException e) {
                Thread.currentThread().interrupt(); // closed, as it has to be
              }
            },
            "trickle");
    trickle.setDaemon(true);
    trickle.start();
    return trickle;
  }

  @Test
  void bodiesThatFillTheMemoryWaitAndAreClosedAndTheMemoryIsFreeAgain() throws Exception {
    ServerUnderTest server = start();
    BodyMemory memory = server.bean(BodyMemory.class);
    AtomicInteger broken = new AtomicInteger();
    List<Thread> senders = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      Socket socket = connect();
      byte[] head = head(REQUEST | TWO_WAY | FASTJSON, i, SEVEN_MB);
      Thread sender =
          new Thread(
              () -> {
                try {
                  socket.getOutputStream().write(head);
                  socket.getOutputStream().write(new byte[SEVEN_MB - 1]);
                } catch (IOException e) {
                  broken.incrementAndGet(); // closed, as it has to be
                }
              },
              "sender-" + i);
      sender.setDaemon(true);
      sender.start();
      senders.add(sender);
    }

    await(() -> memory.taken() > 16 << 20);
    assertThat(memory.taken()).isLessThanOrEqualTo(32 << 20); // half, as it is one address
    for (Socket each : List.copyOf(sockets)) {
      assertThat(untilItIsClosed(each)).isEmpty();
    }
    for (Thread each : senders) {
      each.join(TimeUnit.SECONDS.toMillis(LIMIT_SECONDS));
    }
    await(() -> memory.taken() == 0);
    assertThat(broken).hasPositiveValue();
    prepare(server, "after greedy ones");
  }

  @Test
  void largeRequestsGiveTheirMemoryBackWhenTheyAreAnswered() throws IOException {
    ServerUnderTest server = start();
    Socket socket = connect();
    for (int i = 0; i < 10; i++) { // more than the memory, one after the other
      socket.getOutputStream().write(head(REQUEST | TWO_WAY | FASTJSON, i, SEVEN_MB));
      socket.getOutputStream().write(new byte[SEVEN_MB]);
      assertThat(answer(socket)).doesNotContain("\tat ", "Caused by");
    }
    await(() -> server.bean(BodyMemory.class).taken() == 0);
  }

  @Test
  void largeRequestsThatComeAtATimeAreAllAnswered() throws Exception {
    ServerUnderTest server = start();
    List<Thread> senders = new ArrayList<>();
    for (int i = 0; i < 6; i++) { // three of them are more than half of the memory
      Socket socket = connect();
      senders.add(sender(socket, 2));
    }
    for (Socket each : List.copyOf(sockets)) {
      for (int i = 0; i < 2; i++) {
        assertThat(answer(each)).doesNotContain("\tat ", "Caused by");
      }
    }
    for (Thread each : senders) {
      each.join(TimeUnit.SECONDS.toMillis(LIMIT_SECONDS));
    }
    await(() -> server.bean(BodyMemory.class).taken() == 0);
  }

  /** Sends large requests, one behind the other. */
  private static Thread sender(Socket socket, int requests) {
    Thread sender =
        new Thread(
            () -> {
              try {
                for (int i = 0; i < requests; i++) {
                  socket.getOutputStream().write(head(REQUEST | TWO_WAY | FASTJSON, i, SEVEN_MB));
                  socket.getOutputStream().write(new byte[SEVEN_MB]);
                }
              } catch (IOException e) {
                Thread.currentThread().interrupt(); // closed; the answer is missing then
              }
            },
            "sender");
    sender.setDaemon(true);
    sender.start();
    return sender;
  }

  /** Another address of the same machine, which Linux has without being told. */
  @Test
  void addressThatFillsItsHalfOfTheConnectionsLeavesTheOtherHalf() throws Exception {
    start(2);
    connect();
    connect();
    assertThat(untilItIsClosed(connect())).isEmpty();

    Socket other = new Socket();
    other.setSoTimeout((int) TimeUnit.SECONDS.toMillis(LIMIT_SECONDS));
    sockets.add(other);
    other.bind(new InetSocketAddress("127.0.0.2", 0));
    other.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    other.getOutputStream().write(head(REQUEST | TWO_WAY | UNKNOWN, 5, 1));
    other.getOutputStream().write('x');
    assertThat(answer(other)).doesNotContain("\tat ", "Caused by");
  }

  @Test
  void nonsenseIsClosedOrAnsweredWithoutStackTracesAndTheLogHasNoError() {
    String log =
        CleanLogsTest.logged(
            () -> {
              ServerUnderTest server = start();
              try {
                sendNonsense();
              } catch (IOException e) {
                throw new AssertionError(e);
              }
              prepare(server, "after nonsense");
            });

    assertThat(log.lines())
        .noneMatch(line -> line.contains(" ERROR "))
        .noneMatch(line -> line.stripLeading().startsWith("at "));
  }

  @Test
  void unreadableRequestsThatComeTogetherAreAnsweredEach() throws IOException {
    start();
    ByteBuffer together = ByteBuffer.allocate(300 * (16 + 100));
    for (int id = 1; id <= 300; id++) {
      together.put(head(REQUEST | TWO_WAY | UNKNOWN, id, 100)).put(new byte[100]);
    }

    InputStream in = send(together.array()).getInputStream();

    Set<Long> answered = new HashSet<>();
    while (answered.size() < 300) {
      ByteBuffer head = ByteBuffer.wrap(in.readNBytes(16));
      assertThat(head.limit()).isEqualTo(16);
      assertThat(in.readNBytes(head.getInt(12))).hasSize(head.getInt(12));
      assertThat(answered.add(head.getLong(4))).isTrue();
    }
  }

  private void sendNonsense() throws IOException {
    byte[] garbage = new byte[2_000];
    for (int i = 0; i < garbage.length; i++) {
      garbage[i] = (byte) (31 * i + 7);
    }
    List<byte[]> closed =
        List.of(
            "GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(US_ASCII),
            "invoke java.lang.System.exit(1)\r\n".getBytes(US_ASCII),
            garbage,
            head(REQUEST | TWO_WAY | FASTJSON, 1, -1),
            head(REQUEST | TWO_WAY | FASTJSON, 1, Integer.MAX_VALUE),
            head(REQUEST | TWO_WAY | FASTJSON, 1, (8 << 20) + 1),
            head(REQUEST | FASTJSON, 1, SEVEN_MB), // nobody waits for an answer
            head(REQUEST | EVENT | HESSIAN, 1, SEVEN_MB),
            head(FASTJSON, 1, SEVEN_MB)); // an answer, which nobody asked for
    for (byte[] each : closed) {
      assertThat(untilItIsClosed(send(each))).isEmpty();
    }
    for (int serialization : new int[] {HESSIAN, FASTJSON, UNKNOWN}) {
      Socket socket = send(head(REQUEST | TWO_WAY | serialization, 5, garbage.length), garbage);
      assertThat(answer(socket)).doesNotContain("\tat ", "Caused by");
    }
  }
}
