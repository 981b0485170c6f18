package io.angarium.server.dubbo;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.server.bodies.BodyMemory;
import io.angarium.testkit.ManualClock;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.embedded.EmbeddedChannel;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.dubbo.remoting.exchange.Request;
import org.apache.dubbo.remoting.transport.ChannelHandlerAdapter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The bounds of Dubbo's port, on connections without a network and a clock of our own. */
class DubboBoundsTest {
  private static final int REQUEST = 0x80 | 0x40;
  private static final int HEAD = 16;
  private static final int PIECE = 10_000;
  private static final int BODY = 400_000;
  private static final int WEIGHT = 2;
  private static final long MEMORY = 4 << 20;

  /** Far more than any of the tests needs. */
  private static final int ROUNDS_MAX = 10_000;

  private final ManualClock clock = ManualClock.create();
  private final BodyMemory memory = new BodyMemory(MEMORY);
  private final List<Connection> connections = new ArrayList<>();

  @AfterEach
  void close() {
    connections.forEach(Connection::end);
  }

  private DubboBounds bounds(int connectionsMax) {
    return new DubboBounds(connectionsMax, memory, Duration.ofSeconds(30), clock);
  }

  private static InetSocketAddress address(int host, int port) {
    return new InetSocketAddress("10.0.0." + host, port);
  }

  private Connection connect(DubboBounds bounds, SocketAddress remote) throws Exception {
    Connection connection = new Connection(bounds, remote);
    connections.add(connection);
    connection.register();
    connection.freezeTime();
    return connection;
  }

  /** A connection that sends requests in pieces while somebody reads. */
  private static final class Connection extends EmbeddedChannel {
    private final SocketAddress remote;
    private final Handed handed;
    private long sent;

    Connection(DubboBounds bounds, SocketAddress remote) {
      this(bounds, remote, new Handed());
    }

    private Connection(DubboBounds bounds, SocketAddress remote, Handed handed) {
      super(
          false, // it has no address yet
          false,
          bounds.around(
              new ChannelInitializer<Channel>() {
                @Override
                protected void initChannel(Channel channel) {
                  channel.pipeline().addLast("handler", handed);
                }
              }));
      this.remote = remote;
      this.handed = handed;
    }

    @Override
    protected SocketAddress remoteAddress0() {
      return remote;
    }

    /** Whether a piece of so many requests was sent; there is none left, or nobody reads. */
    boolean send(int requests) {
      long left = (long) requests * (HEAD + BODY) - sent;
      if (left == 0 || !config().isAutoRead()) {
        return false;
      }
      ByteBuf piece = Unpooled.buffer(PIECE);
      for (int i = 0; i < Math.min(PIECE, left); i++, sent++) {
        piece.writeByte(octet(sent / (HEAD + BODY), (int) (sent % (HEAD + BODY))));
      }
      writeInbound(piece);
      return true;
    }

    private static int octet(long id, int at) {
      return at < HEAD
          ? Unpooled.buffer(HEAD)
              .writeShort(0xdabb)
              .writeShort(REQUEST << 8)
              .writeLong(id)
              .writeInt(BODY)
              .getByte(at)
          : 'x';
    }

    void waitAMoment() {
      advanceTimeBy(50, TimeUnit.MILLISECONDS);
      runScheduledPendingTasks();
    }

    /** Keeps what is scheduled, unlike close. */
    void end() {
      var unused = pipeline().close();
      runPendingTasks();
    }

    /** Requests that Dubbo has wholly. */
    long whole() {
      return handed.bytes / (HEAD + BODY);
    }
  }

  /** In the place of Dubbo. */
  private static final class Handed extends ChannelInboundHandlerAdapter {
    private long bytes;

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      ByteBuf read = (ByteBuf) message;
      bytes += read.readableBytes();
      read.release();
    }
  }

  private static org.apache.dubbo.remoting.Channel dubbo(SocketAddress remote) {
    return (org.apache.dubbo.remoting.Channel)
        Proxy.newProxyInstance(
            DubboBoundsTest.class.getClassLoader(),
            new Class<?>[] {org.apache.dubbo.remoting.Channel.class},
            (proxy, method, args) -> method.getName().equals("getRemoteAddress") ? remote : null);
  }

  /** Works at a request at once, and says what bodies took meanwhile. */
  private long work(DubboBounds bounds, SocketAddress remote, long id) throws Exception {
    List<Long> taken = new ArrayList<>();
    bounds
        .around(
            new ChannelHandlerAdapter() {
              @Override
              public void received(org.apache.dubbo.remoting.Channel channel, Object message) {
                taken.add(memory.taken());
              }
            })
        .received(dubbo(remote), new Request(id));
    return taken.get(0);
  }

  @Test
  void pipelinedRequestsHoldNoMoreThanIsAllowedHoweverSlowTheWorkIs() throws Exception {
    int requests = 20;
    DubboBounds bounds = bounds(2);
    SocketAddress remote = address(1, 1);
    Connection connection = connect(bounds, remote);
    int waited = 0;
    long answered = 0;
    for (int round = 0; answered < requests; round++) {
      assertThat(round).isLessThan(ROUNDS_MAX);
      if (connection.send(requests)) {
        long unanswered = connection.handed.bytes - answered * (HEAD + BODY);
        assertThat(WEIGHT * unanswered).isLessThanOrEqualTo(MEMORY / 2);
        assertThat(memory.taken()).isEqualTo(WEIGHT * unanswered);
      } else {
        waited++;
        assertThat(connection.isOpen()).isTrue();
        work(bounds, remote, answered++);
        connection.waitAMoment();
      }
    }

    assertThat(waited).isEqualTo(requests);
    assertThat(connection.whole()).isEqualTo(requests);
    assertThat(memory.taken()).isZero();
  }

  @Test
  void largeRequestsOfOneAddressDoNotBlockEachOther() throws Exception {
    assertAllBecomeWhole(new int[] {1, 1, 1, 1, 1});
  }

  @Test
  void largeRequestsOfManyAddressesDoNotBlockEachOther() throws Exception {
    assertAllBecomeWhole(new int[] {1, 2, 3, 4, 5, 6, 7, 8});
  }

  /** All send at a time, and together more than there is memory. */
  private void assertAllBecomeWhole(int[] hosts) throws Exception {
    DubboBounds bounds = bounds(20);
    for (int i = 0; i < hosts.length; i++) {
      connect(bounds, address(hosts[i], i + 1));
    }
    boolean[] answered = new boolean[hosts.length];
    int left = hosts.length;
    for (int round = 0; left > 0; round++) {
      assertThat(round).as("%s are not whole", left).isLessThan(1_000);
      for (int i = 0; i < hosts.length; i++) {
        Connection each = connections.get(i);
        each.send(1);
        each.waitAMoment();
        assertThat(memory.taken()).isLessThanOrEqualTo(MEMORY);
      }
      for (int i = 0; i < hosts.length; i++) {
        if (!answered[i] && connections.get(i).whole() == 1) {
          work(bounds, address(hosts[i], i + 1), 0);
          answered[i] = true;
          left--;
        }
      }
    }
    assertThat(memory.taken()).isZero();
  }

  @Test
  void oneAddressHasHalfOfTheConnections() throws Exception {
    DubboBounds bounds = bounds(8);
    for (int i = 0; i < 6; i++) {
      assertThat(connect(bounds, address(1, i + 1)).isOpen()).isEqualTo(i < 4);
    }
    for (int i = 0; i < 3; i++) {
      assertThat(connect(bounds, address(2, i + 1)).isOpen()).isTrue();
    }
    assertThat(connect(bounds, address(3, 1)).isOpen()).isTrue();
    assertThat(connect(bounds, address(4, 1)).isOpen()).isFalse(); // all eight are taken

    connections.get(0).end();
    assertThat(connect(bounds, address(1, 9)).isOpen()).isTrue();
    assertThat(bounds.connections()).isEqualTo(8);
  }

  @Test
  void theOnlyPlaceIsForAnyAddress() throws Exception {
    DubboBounds bounds = bounds(1);

    assertThat(connect(bounds, address(1, 1)).isOpen()).isTrue();
    assertThat(connect(bounds, address(1, 2)).isOpen()).isFalse();
  }

  @Test
  void connectionThatIsClosedBeforeItBeginsTakesNoPlace() throws Exception {
    DubboBounds bounds = bounds(1);

    connect(bounds, null); // its address is not known any more
    assertThat(bounds.connections()).isZero();
    assertThat(connect(bounds, address(1, 1)).isOpen()).isTrue();
  }

  @Test
  void requestThatWaitsForItsThreadIsCountedAfterItsConnectionIsClosed() throws Exception {
    DubboBounds bounds = bounds(4);
    SocketAddress remote = address(1, 1);
    Connection connection = connect(bounds, remote);
    while (connection.send(1)) {
      assertThat(connection.isOpen()).isTrue();
    }
    connection.end();

    assertThat(memory.taken()).isEqualTo(WEIGHT * (HEAD + BODY));
    assertThat(bounds.connections()).isOne();
    assertThat(connect(bounds, remote).isOpen()).isFalse(); // its requests would be mixed up
    assertThat(work(bounds, remote, 0)).isEqualTo(WEIGHT * (HEAD + BODY));
    assertThat(memory.taken()).isZero();
    assertThat(bounds.connections()).isZero();
  }

  @Test
  void requestThatNobodyWorksAtIsForgottenAfterItsConnectionIsClosed() throws Exception {
    DubboBounds bounds = bounds(4);
    Connection connection = connect(bounds, address(1, 1));
    while (connection.send(2)) {
      assertThat(connection.isOpen()).isTrue();
    }
    connection.end();
    assertThat(memory.taken()).isPositive();

    connection.advanceTimeBy(DubboFrames.SILENCE_MAX.toSeconds(), TimeUnit.SECONDS);
    connection.runScheduledPendingTasks();

    assertThat(memory.taken()).isZero();
    assertThat(bounds.connections()).isZero();
  }
}
