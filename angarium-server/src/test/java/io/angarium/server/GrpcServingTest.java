package io.angarium.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jwt.JWTClaimsSet;
import io.angarium.TimeSource;
import io.angarium.grpc.GrpcHalfService;
import io.angarium.grpc.v1.HalfMessagesGrpc;
import io.angarium.grpc.v1.HalfWire;
import io.angarium.half.HalfAnswer;
import io.angarium.half.HalfCall;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessages;
import io.angarium.half.HalfState;
import io.angarium.intake.MessageIntake;
import io.angarium.server.access.Access;
import io.angarium.server.access.ApiKeys;
import io.angarium.server.access.Tokens;
import io.angarium.server.bodies.BodyMemory;
import io.angarium.server.bodies.Pace;
import io.angarium.server.calls.CheckBackAddresses;
import io.angarium.server.calls.KnownTransports;
import io.angarium.server.calls.MessageDesk;
import io.angarium.server.calls.UndecidedQuota;
import io.angarium.server.dtm.DtmReserved;
import io.angarium.server.grpc.GrpcAccess;
import io.angarium.server.grpc.GrpcBodies;
import io.angarium.server.grpc.GrpcHalfDesk;
import io.angarium.server.grpc.GrpcLifecycle;
import io.angarium.server.grpc.GrpcServing;
import io.angarium.server.grpc.RefusableCall;
import io.angarium.server.metrics.ServerMetrics;
import io.angarium.server.settings.GrpcProperties;
import io.angarium.server.settings.OAuth2Properties;
import io.angarium.server.settings.Permission;
import io.angarium.server.settings.ServerProperties;
import io.angarium.testkit.ManualClock;
import io.angarium.testkit.memory.InMemoryHalfMessages;
import io.angarium.testservers.Thorough;
import io.grpc.CallOptions;
import io.grpc.ConnectivityState;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.reflection.v1.ServiceResponse;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.util.unit.DataSize;

/** The limits of gRPC at the server, on real connections. */
class GrpcServingTest {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final Duration SHORT = Duration.ofSeconds(1);
  private static final Duration LONG = Duration.ofHours(1);
  private static final Duration BODY_TIMEOUT = Duration.ofSeconds(30);
  private static final String PREPARE = "/angarium.half.v1.HalfMessages/Prepare";
  private static final int REQUEST_BYTES_MAX = 64 << 10;

  private final Held half = new Held();
  private final ManualClock clock = ManualClock.create();
  private final BodyMemory memory = new BodyMemory(1 << 20);
  private final GrpcBodies bodies =
      new GrpcBodies(memory, 2 * REQUEST_BYTES_MAX, BODY_TIMEOUT, clock);
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<ManagedChannel> channels = new ArrayList<>();

  @AfterEach
  void stop() {
    half.gate.countDown();
    channels.forEach(ManagedChannel::shutdownNow);
    threads.shutdownNow();
  }

  /** Half messages that can be held up. */
  private static final class Held implements HalfMessages {
    final InMemoryHalfMessages real = new InMemoryHalfMessages(TimeSource.SYSTEM);
    final AtomicInteger begun = new AtomicInteger();
    volatile CountDownLatch gate = new CountDownLatch(0);

    @Override
    public List<HalfAnswer> callAll(List<HalfCall> calls) {
      return real.callAll(calls);
    }

    @Override
    public Map<HalfKey, HalfState> states(Collection<HalfKey> keys) {
      begun.incrementAndGet();
      try {
        gate.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return real.states(keys);
    }
  }

  private static GrpcProperties properties(int requests) {
    DataSize requestMax = DataSize.ofBytes(REQUEST_BYTES_MAX);
    return new GrpcProperties(
        true, "127.0.0.1", 0, null, null, null, requestMax, requests, 6, true, true);
  }

  private GrpcLifecycle started(int requests, Access access) {
    return started(requests, access, bodies);
  }

  private GrpcLifecycle started(int requests, Access access, GrpcBodies bodies) {
    CheckBackAddresses addresses =
        new CheckBackAddresses(List.of(), new DtmReserved("dtm")::faultOf, KnownTransports.ANY);
    MessageDesk desk =
        new MessageDesk(half, MessageIntake.of(null), addresses, new UndecidedQuota(null, Map::of));
    GrpcLifecycle grpc =
        new GrpcLifecycle(
            properties(requests),
            new GrpcHalfDesk(desk),
            new GrpcAccess(access),
            new ServerMetrics(new SimpleMeterRegistry()).grpc(),
            bodies);
    grpc.start();
    return grpc;
  }

  private static Access local() {
    return new Access(keys(), null, TimeSource.SYSTEM);
  }

  private static ApiKeys keys(String... names) {
    MapConfigurationPropertySource given = new MapConfigurationPropertySource();
    for (String name : names) {
      String prefix = ServerProperties.PREFIX + ".api-keys." + name;
      given.put(prefix + ".hashes", ServerUnderTest.hash(name));
      given.put(prefix + ".businesses", "*");
      given.put(prefix + ".destinations", "*");
    }
    return new ApiKeys(
        new Binder(given).bindOrCreate(ServerProperties.PREFIX, ServerProperties.class),
        TimeSource.SYSTEM);
  }

  private ManagedChannel channel(int port) {
    ManagedChannel channel =
        Grpc.newChannelBuilder("dns:///127.0.0.1:" + port, InsecureChannelCredentials.create())
            .directExecutor() // its states are told before the next one comes
            .build();
    channels.add(channel);
    return channel;
  }

  private static HalfWire.StatesRequest question(int keyLength) {
    return HalfWire.StatesRequest.newBuilder()
        .addKeys(HalfWire.Key.newBuilder().setBusiness("order").setKey("k".repeat(keyLength)))
        .build();
  }

  /** What a question is answered, some time. */
  private CompletableFuture<Status> asked(ManagedChannel channel, int keyLength) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            HalfWire.StatesResponse answer =
                HalfMessagesGrpc.newBlockingStub(channel)
                    .withDeadlineAfter(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                    .states(question(keyLength));
            return answer.getStatesCount() == 1 ? Status.OK : Status.UNKNOWN;
          } catch (RuntimeException e) {
            return Status.fromThrowable(e);
          }
        },
        threads);
  }

  private void awaitBegun(int count) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (half.begun.get() < count) {
      assertThat(System.nanoTime()).isLessThan(deadline);
      LockSupport.parkNanos(1_000_000);
    }
  }

  @Test
  void beyondTheRequestsUnderWayOthersAreToldToComeAgain() {
    GrpcLifecycle grpc = started(1, local());
    try {
      half.gate = new CountDownLatch(1);
      CompletableFuture<Status> first = asked(channel(grpc.port()), 1);
      awaitBegun(1);

      assertThat(asked(channel(grpc.port()), 1))
          .succeedsWithin(PATIENCE)
          .satisfies(told -> assertThat(told.getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED))
          .satisfies(told -> assertThat(told.getDescription()).contains("nothing took effect"));

      half.gate.countDown();
      assertThat(first).succeedsWithin(PATIENCE).isEqualTo(Status.OK);
      assertThat(half.begun).hasValue(1);
    } finally {
      grpc.stop();
    }
  }

  /** A connection has no more open than are worked on, so its client waits and is not refused. */
  @Test
  void requestsOfOneConnectionWaitForEachOther() {
    GrpcLifecycle grpc = started(1, local());
    try {
      ManagedChannel channel = channel(grpc.port());
      assertThat(asked(channel, 1)).succeedsWithin(PATIENCE).isEqualTo(Status.OK);
      half.gate = new CountDownLatch(1);
      List<CompletableFuture<Status>> all = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        all.add(asked(channel, 1));
      }
      awaitBegun(2);
      half.gate.countDown();

      all.forEach(each -> assertThat(each).succeedsWithin(PATIENCE).isEqualTo(Status.OK));
    } finally {
      grpc.stop();
    }
  }

  @Test
  void requestThatIsTooLargeIsRefusedUnread() {
    GrpcLifecycle grpc = started(4, local());
    try {
      ManagedChannel channel = channel(grpc.port());

      assertThat(asked(channel, REQUEST_BYTES_MAX))
          .succeedsWithin(PATIENCE)
          .satisfies(told -> assertThat(told.getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED));
      assertThat(half.begun).hasValue(0);
      assertThat(asked(channel, 100)).succeedsWithin(PATIENCE).isEqualTo(Status.OK);
    } finally {
      grpc.stop();
    }
  }

  private Server serving(Duration idleMax, Duration ageMax) throws IOException {
    return GrpcServing.builder(properties(4), idleMax, ageMax)
        .addService(new GrpcHalfService(half, threads))
        .build()
        .start();
  }

  /** Completed when the channel has a connection, even if it loses it soon. */
  private static CompletableFuture<ConnectivityState> connected(ManagedChannel channel) {
    CompletableFuture<ConnectivityState> connected = new CompletableFuture<>();
    awaitReady(channel, channel.getState(false), connected);
    return connected;
  }

  private static void awaitReady(
      ManagedChannel channel,
      ConnectivityState before,
      CompletableFuture<ConnectivityState> ready) {
    channel.notifyWhenStateChanged(
        before,
        () -> {
          ConnectivityState now = channel.getState(false);
          if (now == ConnectivityState.READY) {
            ready.complete(now);
          } else {
            awaitReady(channel, now, ready);
          }
        });
  }

  /** Completed when the channel has no connection any more. */
  private static CompletableFuture<ConnectivityState> lost(ManagedChannel channel) {
    CompletableFuture<ConnectivityState> lost = new CompletableFuture<>();
    channel.notifyWhenStateChanged(
        ConnectivityState.READY, () -> lost.complete(channel.getState(false)));
    return lost;
  }

  /** Many clients use the shortest keep-alive interval that gRPC's libraries allow. */
  @Test
  @Thorough
  void pingsOfAClientEveryTenSecondsDoNotEndItsCalls() {
    GrpcLifecycle grpc = started(4, local());
    try {
      half.gate = new CountDownLatch(1);
      ManagedChannel channel =
          Grpc.newChannelBuilder(
                  "dns:///127.0.0.1:" + grpc.port(), InsecureChannelCredentials.create())
              .directExecutor()
              .keepAliveTime(10, TimeUnit.SECONDS)
              .keepAliveWithoutCalls(true)
              .build();
      channels.add(channel);
      CompletableFuture<Status> answer = asked(channel, 1);
      awaitBegun(1);

      LockSupport.parkNanos(Duration.ofSeconds(55).toNanos()); // five pings
      assertThat(answer).isNotDone();
      half.gate.countDown();

      assertThat(answer).succeedsWithin(PATIENCE).isEqualTo(Status.OK);
      assertThat(channel.getState(false)).isEqualTo(ConnectivityState.READY);
    } finally {
      grpc.stop();
    }
  }

  /** By HTTP/2's error ENHANCE_YOUR_CALM. */
  @Test
  void pingsThatComeTooFastEndTheConnectionAndNoOtherOne() throws Exception {
    GrpcLifecycle grpc = started(4, local());
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), grpc.port())) {
      socket.setSoTimeout((int) PATIENCE.toMillis());
      OutputStream out = socket.getOutputStream();
      out.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII));
      frame(out, 4, 0, 0, new byte[0]);
      for (int i = 0; i < 5; i++) {
        frame(out, 6, 0, 0, new byte[8]);
      }

      assertThat(new String(socket.getInputStream().readAllBytes(), US_ASCII))
          .contains("too_many_pings");
      assertThat(asked(channel(grpc.port()), 1)).succeedsWithin(PATIENCE).isEqualTo(Status.OK);
    } finally {
      grpc.stop();
    }
  }

  /** Unary calls and streams are refused alike. */
  @ParameterizedTest
  @ValueSource(strings = {PREPARE, "/angarium.half.v1.HalfMessages/CallStream"})
  void callerWithoutRateLeftIsRefusedBeforeABodyIsRead(String method) throws Exception {
    ApiKeys keys = rated("shop");
    GrpcLifecycle grpc = started(4, new Access(keys, null, clock));
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), grpc.port())) {
      socket.setSoTimeout((int) PATIENCE.toMillis());
      keys.callerOf("shop").orElseThrow().count(1);

      beginRequest(socket, method, 50_000, "authorization", "Bearer shop");

      awaitText(socket, "more calls in a second");
      awaitTaken(0);
    } finally {
      grpc.stop();
    }
  }

  /** One call in a second, of a clock that stands. */
  private ApiKeys rated(String name) {
    String prefix = ServerProperties.PREFIX + ".api-keys." + name;
    Map<String, String> given =
        Map.of(
            prefix + ".hashes", ServerUnderTest.hash(name),
            prefix + ".businesses", "*",
            prefix + ".destinations", "*",
            prefix + ".rate", "1");
    return new ApiKeys(
        new Binder(new MapConfigurationPropertySource(given))
            .bindOrCreate(ServerProperties.PREFIX, ServerProperties.class),
        clock);
  }

  private static void awaitText(Socket socket, String text) throws IOException {
    ByteArrayOutputStream read = new ByteArrayOutputStream();
    while (!read.toString(ISO_8859_1).contains(text)) {
      int next = socket.getInputStream().read();
      assertThat(next).as(read.toString(ISO_8859_1)).isNotNegative();
      read.write(next);
    }
  }

  @Test
  void connectionWithoutRequestsIsClosed() throws IOException {
    Server server = serving(SHORT, LONG);
    try {
      ManagedChannel channel = channel(server.getPort());
      CompletableFuture<ConnectivityState> connected = connected(channel);
      assertThat(asked(channel, 1)).succeedsWithin(PATIENCE).isEqualTo(Status.OK);
      assertThat(connected).succeedsWithin(PATIENCE);

      assertThat(lost(channel)).succeedsWithin(PATIENCE).isEqualTo(ConnectivityState.IDLE);

      assertThat(asked(channel, 1)).succeedsWithin(PATIENCE).isEqualTo(Status.OK);
    } finally {
      server.shutdownNow();
    }
  }

  @Test
  void oldConnectionIsClosedWhenWhatIsUnderWayHasEnded() throws Exception {
    Server server = serving(LONG, SHORT);
    try {
      ManagedChannel channel = channel(server.getPort());
      BlockingQueue<HalfWire.StreamResponse> answers = new LinkedBlockingQueue<>();
      StreamObserver<HalfWire.StreamRequest> stream =
          HalfMessagesGrpc.newStub(channel).callStream(into(answers));
      stream.onNext(rollback());
      assertThat(answers.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isNotNull();

      assertThat(lost(channel)).succeedsWithin(PATIENCE);
      stream.onNext(rollback());

      HalfWire.StreamResponse answer = answers.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      assertThat(answer.hasAnswered()).isTrue();
      stream.onCompleted();
      assertThat(asked(channel, 1)).succeedsWithin(PATIENCE).isEqualTo(Status.OK);
    } finally {
      server.shutdownNow();
    }
  }

  private static HalfWire.StreamRequest rollback() {
    return HalfWire.StreamRequest.newBuilder()
        .addCalls(
            HalfWire.Call.newBuilder()
                .setRollback(
                    HalfWire.Decision.newBuilder()
                        .setKey(HalfWire.Key.newBuilder().setBusiness("order").setKey("n"))
                        .setWhenUnknown(HalfWire.WhenUnknown.WHEN_UNKNOWN_REFUSE)))
        .build();
  }

  /** The token itself has hours left. */
  @Test
  void streamEndsWhenTheIssuerTakesBackTheKeyOfItsToken() throws Exception {
    ManualClock clock = ManualClock.create();
    ECKey old = Issuer.ec("old");
    try (Issuer issuer = new Issuer().publish(old)) {
      Access access = new Access(keys(), Tokens.of(given(issuer), clock), clock);
      GrpcLifecycle grpc = started(4, access);
      try {
        Date end = Date.from(clock.instant().plus(Duration.ofDays(1)));
        JWTClaimsSet claims = issuer.claims("shop", "orders").expirationTime(end).build();
        BlockingQueue<HalfWire.StreamResponse> answers = new LinkedBlockingQueue<>();
        StreamObserver<HalfWire.StreamRequest> stream =
            stream(channel(grpc.port()), Issuer.signed(old, claims), answers);

        stream.onNext(rollback());
        assertThat(answers.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS).hasAnswered()).isTrue();
        issuer.publish(Issuer.ec("new"));
        stream.onNext(rollback());
        assertThat(answers.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS).hasAnswered()).isTrue();
        clock.advance(Duration.ofMinutes(6)); // more than keys-refreshed
        stream.onNext(rollback());

        HalfWire.Failure failed = answers.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS).getFailed();
        assertThat(failed.getStatusCode()).isEqualTo(Status.Code.UNAUTHENTICATED.value());
        assertThat(failed.getDescription()).contains("the token is refused");
        issuer.answerSlowly(true);
        clock.advance(Duration.ofHours(2)); // more than keys-kept
        stream.onNext(rollback());

        HalfWire.Failure away = answers.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS).getFailed();
        assertThat(away.getStatusCode()).isEqualTo(Status.Code.UNAVAILABLE.value());
        assertThat(away.getDescription()).contains("nothing took effect");
      } finally {
        grpc.stop();
      }
    }
  }

  private static OAuth2Properties given(Issuer issuer) {
    return new OAuth2Properties(
        issuer.uri(),
        null,
        List.of(Issuer.AUDIENCE),
        Duration.ZERO,
        "sub",
        Duration.ofMinutes(5),
        Duration.ofHours(1),
        false,
        Map.of(
            "orders",
            new OAuth2Properties.Grant(
                "scope",
                List.of("orders"),
                List.of("*"),
                List.of("*"),
                Set.of(Permission.ROLLBACK),
                null,
                null)));
  }

  private static StreamObserver<HalfWire.StreamRequest> stream(
      ManagedChannel channel, String token, BlockingQueue<HalfWire.StreamResponse> answers) {
    Metadata headers = new Metadata();
    headers.put(
        Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + token);
    return HalfMessagesGrpc.newStub(channel)
        .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers))
        .callStream(into(answers));
  }

  private static <T> StreamObserver<T> into(BlockingQueue<T> answers) {
    return new StreamObserver<>() {
      @Override
      public void onNext(T value) {
        answers.add(value);
      }

      @Override
      public void onError(@Nullable Throwable failure) {}

      @Override
      public void onCompleted() {}
    };
  }

  /** gRPC itself says that the server is at fault, and clients repeat it. */
  @Test
  void requestThatIsNoMessageIsInvalid() {
    GrpcLifecycle grpc = started(4, local());
    try {
      MethodDescriptor<byte[], byte[]> raw =
          MethodDescriptor.newBuilder(new Bytes(), new Bytes())
              .setType(MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(HalfMessagesGrpc.getPrepareMethod().getFullMethodName())
              .build();
      ManagedChannel channel = channel(grpc.port());

      assertThatThrownBy(
              () ->
                  ClientCalls.blockingUnaryCall(
                      channel, raw, CallOptions.DEFAULT, new byte[] {(byte) 0xff, 1, 2}))
          .satisfies(
              e ->
                  assertThat(Status.fromThrowable(e).getCode())
                      .isEqualTo(Status.Code.INVALID_ARGUMENT));
    } finally {
      grpc.stop();
    }
  }

  private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
    @Override
    public InputStream stream(byte[] value) {
      return new ByteArrayInputStream(value);
    }

    @Override
    public byte[] parse(InputStream stream) {
      return new byte[0];
    }
  }

  /** It listens before the server is ready, and until the end of the delay of its stop. */
  @Test
  void probesAreAnsweredAsTheReadinessIsAndWithoutAKey() {
    GrpcLifecycle grpc = started(4, local());
    try {
      assertThat(health(grpc)).isEqualTo(ServingStatus.NOT_SERVING);

      grpc.onApplicationEvent(
          new AvailabilityChangeEvent<>(this, ReadinessState.ACCEPTING_TRAFFIC));
      assertThat(health(grpc)).isEqualTo(ServingStatus.SERVING);

      grpc.onApplicationEvent(new AvailabilityChangeEvent<>(this, ReadinessState.REFUSING_TRAFFIC));
      assertThat(health(grpc)).isEqualTo(ServingStatus.NOT_SERVING);
    } finally {
      grpc.stop();
    }
  }

  private ServingStatus health(GrpcLifecycle grpc) {
    return HealthGrpc.newBlockingStub(channel(grpc.port()))
        .withDeadlineAfter(PATIENCE.toSeconds(), TimeUnit.SECONDS)
        .check(HealthCheckRequest.getDefaultInstance())
        .getStatus();
  }

  @Test
  void requestThatComesTooSlowlyIsCutOffAndItsMemoryFree() throws Exception {
    GrpcLifecycle grpc = started(4, local());
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), grpc.port())) {
      beginRequest(socket, PREPARE, 50_000);
      awaitTaken(1_000);

      clock.advance(Pace.WINDOW);

      awaitTaken(0);
      assertThat(asked(channel(grpc.port()), 1)).succeedsWithin(PATIENCE).isEqualTo(Status.OK);
    } finally {
      grpc.stop();
    }
  }

  /** They are open to anybody: none takes memory, a stream, or time. */
  @Test
  void probesAreSmallAndEnd() throws Exception {
    GrpcLifecycle grpc = started(4, local());
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), grpc.port())) {
      HealthGrpc.HealthBlockingStub health =
          HealthGrpc.newBlockingStub(channel(grpc.port()))
              .withDeadlineAfter(PATIENCE.toSeconds(), TimeUnit.SECONDS);

      assertThat(failure(() -> health.check(probe(5_000))))
          .isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
      assertThat(failure(() -> health.watch(probe(0)).next())).isEqualTo(Status.Code.UNIMPLEMENTED);

      beginRequest(socket, "/grpc.health.v1.Health/Check", 2_000);
      awaitTaken(1_000);
      clock.advance(Pace.WINDOW);
      awaitTaken(0);
    } finally {
      grpc.stop();
    }
  }

  private static HealthCheckRequest probe(int length) {
    return HealthCheckRequest.newBuilder().setService("s".repeat(length)).build();
  }

  private static Status.Code failure(Supplier<?> call) {
    try {
      return call.get() == null ? Status.Code.UNKNOWN : Status.Code.OK;
    } catch (RuntimeException e) {
      return Status.fromThrowable(e).getCode();
    }
  }

  /** It is all there but for its end, which a client says. */
  @Test
  void requestThatIsNotEndedIsCutOffAndItsMemoryFree() throws Exception {
    GrpcLifecycle grpc = started(4, local());
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), grpc.port())) {
      beginRequest(socket, PREPARE, 1_000);
      awaitTaken(1_000);

      clock.advance(BODY_TIMEOUT);

      awaitTaken(0);
    } finally {
      grpc.stop();
    }
  }

  @Test
  void memoryOfOneCallerLeavesRoomForOthers() throws Exception {
    BodyMemory small = new BodyMemory(2_000);
    GrpcLifecycle grpc =
        started(
            4,
            new Access(keys("one", "two"), null, TimeSource.SYSTEM),
            new GrpcBodies(small, REQUEST_BYTES_MAX, BODY_TIMEOUT, clock));
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), grpc.port())) {
      beginRequest(socket, PREPARE, 1_500, "authorization", "Bearer one");
      awaitTaken(small, 1_000);

      assertThat(failure(() -> states(grpc, "one"))).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
      assertThat(failure(() -> states(grpc, "two"))).isEqualTo(Status.Code.OK);
    } finally {
      grpc.stop();
    }
  }

  private HalfWire.StatesResponse states(GrpcLifecycle grpc, String key) {
    Metadata headers = new Metadata();
    headers.put(
        Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + key);
    return HalfMessagesGrpc.newBlockingStub(channel(grpc.port()))
        .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers))
        .withDeadlineAfter(PATIENCE.toSeconds(), TimeUnit.SECONDS)
        .states(question(100));
  }

  /** A call of nobody, whose close takes as long as it is told. */
  private static final class Closing extends ServerCall<byte[], byte[]> {
    private final Runnable onClose;

    Closing(Runnable onClose) {
      this.onClose = onClose;
    }

    @Override
    public void request(int messages) {}

    @Override
    public void sendHeaders(Metadata headers) {}

    @Override
    public void sendMessage(byte[] message) {}

    @Override
    public void close(Status status, Metadata trailers) {
      onClose.run();
    }

    @Override
    public boolean isCancelled() {
      return false;
    }

    @Override
    public MethodDescriptor<byte[], byte[]> getMethodDescriptor() {
      throw new UnsupportedOperationException();
    }
  }

  private GrpcBodies.Body body() {
    return (GrpcBodies.Body) bodies.newServerStreamTracer("x/States", new Metadata());
  }

  @Test
  void bodyOfACallThatHasEndedIsNotCounted() {
    GrpcBodies.Body body = body();
    body.streamClosed(Status.CANCELLED);

    body.begin("caller", new RefusableCall<>(new Closing(() -> {})), true, Long.MAX_VALUE);
    body.inboundWireSize(1_000);

    assertThat(bodies.open()).isZero();
    assertThat(memory.taken()).isZero();
  }

  /** An answer on its way holds the lock of the call, and then wants that of the body. */
  @Test
  void callIsRefusedOutsideTheLockOfItsBody() {
    GrpcBodies.Body body = body();
    CompletableFuture<Boolean> free = new CompletableFuture<>();
    Runnable onClose =
        () -> {
          CompletableFuture<Void> answer =
              CompletableFuture.runAsync(() -> body.outboundMessage(0), threads);
          try {
            answer.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            free.complete(true);
          } catch (Exception e) {
            free.complete(false);
          }
        };
    body.begin("caller", new RefusableCall<>(new Closing(onClose)), true, 10);

    body.inboundWireSize(11);

    assertThat(free).isCompletedWithValue(true);
  }

  /** What is not read yet fills the window of the connection, for whoever shares it. */
  @Test
  void requestBesideABusyStreamIsNotTooSlow() {
    List<String> refused = new CopyOnWriteArrayList<>();
    GrpcBodies.Body stream = body();
    stream.begin(
        "caller",
        new RefusableCall<>(new Closing(() -> refused.add("stream"))),
        false,
        Long.MAX_VALUE);
    stream.inboundMessage(0);
    stream.inboundWireSize(100);
    stream.inboundMessageRead(0, 100, 100);
    GrpcBodies.Body single = body();
    single.begin(
        "caller",
        new RefusableCall<>(new Closing(() -> refused.add("single"))),
        true,
        Long.MAX_VALUE);

    clock.advance(BODY_TIMEOUT);
    bodies.cutOffSlow();
    assertThat(refused).isEmpty();

    stream.outboundMessage(0);
    single.inboundWireSize(Pace.BYTES_MIN);
    clock.advance(Pace.WINDOW);
    bodies.cutOffSlow();
    assertThat(refused).isEmpty(); // its time begins now

    clock.advance(Pace.WINDOW);
    bodies.cutOffSlow();
    assertThat(refused).containsExactly("single");
  }

  /** Its listener learns the end late on a busy machine. */
  @Test
  void requestThatIsWholeHasUntilTheTimeoutForItsEnd() {
    List<String> refused = new CopyOnWriteArrayList<>();
    GrpcBodies.Body single = body();
    single.begin(
        "caller",
        new RefusableCall<>(new Closing(() -> refused.add("single"))),
        true,
        Long.MAX_VALUE);
    single.inboundWireSize(100);
    single.inboundMessageRead(0, 100, 100);

    clock.advance(BODY_TIMEOUT.minusMillis(1));
    bodies.cutOffSlow();
    assertThat(refused).isEmpty();

    clock.advance(Duration.ofMillis(1));
    bodies.cutOffSlow();
    assertThat(refused).containsExactly("single");
  }

  @Test
  void descriptionsOfTheServicesAreServed() throws Exception {
    GrpcLifecycle grpc = started(4, local());
    try {
      BlockingQueue<ServerReflectionResponse> answers = new LinkedBlockingQueue<>();
      StreamObserver<ServerReflectionRequest> stream =
          ServerReflectionGrpc.newStub(channel(grpc.port())).serverReflectionInfo(into(answers));

      stream.onNext(ServerReflectionRequest.newBuilder().setListServices("").build());

      ServerReflectionResponse answer = answers.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      assertThat(answer.getListServicesResponse().getServiceList())
          .extracting(ServiceResponse::getName)
          .contains("angarium.half.v1.HalfMessages", "grpc.health.v1.Health");
      stream.onCompleted();
    } finally {
      grpc.stop();
    }
  }

  private void awaitTaken(long bytes) {
    awaitTaken(memory, bytes);
  }

  private static void awaitTaken(BodyMemory memory, long bytes) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (memory.taken() != bytes) {
      assertThat(System.nanoTime() - deadline).isNegative();
      LockSupport.parkNanos(1_000_000);
    }
  }

  /** Six in all, three of one address. */
  @Test
  void connectionsBeyondTheLimitAreClosedAtOnce() throws Exception {
    GrpcLifecycle grpc = started(4, local());
    List<Socket> open = new ArrayList<>();
    try {
      for (int i = 0; i < 4; i++) {
        open.add(connected(grpc, "127.0.0.1"));
      }
      assertThat(isClosed(open.get(3))).as("the fourth of its address").isTrue();
      for (int i = 0; i < 3; i++) {
        open.add(connected(grpc, "127.0.0.2"));
      }
      assertThat(open.get(6).getInputStream().read()).isZero(); // its settings
      open.add(connected(grpc, "127.0.0.3"));
      assertThat(isClosed(open.get(7))).as("the seventh of all").isTrue();

      for (Socket each : open) {
        each.close();
      }
      assertThat(asked(channel(grpc.port()), 1)).succeedsWithin(PATIENCE).isEqualTo(Status.OK);
    } finally {
      grpc.stop();
    }
  }

  private static Socket connected(GrpcLifecycle grpc, String from) throws IOException {
    Socket socket = new Socket();
    socket.bind(new InetSocketAddress(from, 0));
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), grpc.port()));
    socket.setSoTimeout((int) PATIENCE.toMillis());
    return socket;
  }

  private static boolean isClosed(Socket socket) {
    try {
      return socket.getInputStream().read() < 0;
    } catch (IOException e) {
      return true;
    }
  }

  /** Sends the beginning of a request in frames of HTTP/2: a kilobyte after its length. */
  private static void beginRequest(Socket socket, String path, int announced, String... more)
      throws IOException {
    List<String> headers =
        new ArrayList<>(List.of(":method", "POST", ":scheme", "http", ":path", path));
    headers.addAll(List.of(":authority", "localhost", "content-type", "application/grpc"));
    headers.addAll(List.of("te", "trailers"));
    headers.addAll(List.of(more));
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    for (int i = 0; i < headers.size(); i++) {
      if (i % 2 == 0) {
        head.write(0); // a literal that is not indexed
      }
      head.write(headers.get(i).length());
      head.write(headers.get(i).getBytes(US_ASCII));
    }
    OutputStream out = socket.getOutputStream();
    out.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII));
    frame(out, 4, 0, 0, new byte[0]);
    frame(out, 1, 4, 1, head.toByteArray());
    frame(out, 0, 0, 1, request(announced));
    out.flush();
  }

  /** A kilobyte of protobuf after its length: one field that nobody knows. */
  private static byte[] request(int announced) {
    return ByteBuffer.allocate(1_005)
        .put((byte) 0)
        .putInt(announced)
        .put(new byte[] {0x7a, (byte) 0xe5, 0x07})
        .array();
  }

  private static void frame(OutputStream out, int type, int flags, int stream, byte[] payload)
      throws IOException {
    out.write(ByteBuffer.allocate(4).putInt(payload.length << 8 | type).array());
    out.write(flags);
    out.write(ByteBuffer.allocate(4).putInt(stream).array());
    out.write(payload);
  }
}
