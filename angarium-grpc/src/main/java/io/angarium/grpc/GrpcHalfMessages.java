package io.angarium.grpc;

import io.angarium.InvalidMessageException;
import io.angarium.OutboxException;
import io.angarium.StoreException;
import io.angarium.grpc.HalfRequests.Part;
import io.angarium.grpc.v1.HalfMessagesGrpc;
import io.angarium.grpc.v1.HalfWire;
import io.angarium.half.HalfAnswer;
import io.angarium.half.HalfCall;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessages;
import io.angarium.half.HalfState;
import io.angarium.half.NotPermittedException;
import io.angarium.half.Refusal;
import io.angarium.half.TokenSource;
import io.angarium.half.internal.remote.CallerRefusal;
import io.angarium.intake.MessageIntake;
import io.grpc.Channel;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.AbstractStub;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Half messages at a server, over gRPC: {@link GrpcHalfService} is the other side. Calls that are
 * made at the same time share requests, and what is at fault fails alone. A call without an answer
 * is a {@link StoreException}, and may be repeated; one that the server does not let the caller
 * make is a {@link NotPermittedException}. A {@link #callAll} with more calls or bytes than a
 * request takes is several requests, one after the other; if a later one fails, for whatever
 * reason, that is a {@link StoreException}, too, as the earlier ones took effect. Thread-safe.
 */
public final class GrpcHalfMessages implements HalfMessages, AutoCloseable {
  /** Keys of the greatest length and a key more than these fit into a request of 4 MiB. */
  private static final int KEYS_PER_REQUEST = 1_000;

  private static final Set<Status.Code> NOT_PERMITTED =
      Set.of(Status.Code.PERMISSION_DENIED, Status.Code.UNAUTHENTICATED);

  private final Channel channel;
  private final GrpcHalfConfig config;
  private final HalfRequests requests;
  private final @Nullable BearerCredentials credentials;
  private final @Nullable MessageIntake intake;
  private final @Nullable ManagedChannel own;

  /**
   * Creates one; connects when it is first called. Messages are sent as they are.
   *
   * @param channel to the server, with credentials and interceptors as the server wants them; stays
   *     the caller's to close
   */
  public GrpcHalfMessages(Channel channel, GrpcHalfConfig config) {
    this(channel, config, null, null);
  }

  /**
   * Opens one with a channel of its own, which {@link #close} ends; connects when it is first
   * called.
   *
   * @param intake checks messages and completes them, e.g. with the trace, as for an outbox; the
   *     limits of the configuration count besides
   * @throws io.angarium.ConfigurationException if a file of the server's certificates cannot be
   *     read
   */
  public static GrpcHalfMessages open(
      GrpcHalfServer server, GrpcHalfConfig config, MessageIntake intake) {
    ManagedChannel channel = server.channel();
    return new GrpcHalfMessages(channel, config, intake, channel);
  }

  private GrpcHalfMessages(
      Channel channel,
      GrpcHalfConfig config,
      @Nullable MessageIntake intake,
      @Nullable ManagedChannel own) {
    this.channel = channel;
    this.config = config;
    this.intake = intake;
    this.own = own;
    TokenSource token = config.token();
    this.credentials = token == null ? null : new BearerCredentials(token);
    this.requests =
        new HalfRequests(
            config,
            (request, deadline, observer) ->
                shown(HalfMessagesGrpc.newStub(channel))
                    .withDeadline(deadline)
                    .callAll(request, observer));
  }

  @Override
  public List<HalfAnswer> callAll(List<HalfCall> calls) {
    List<HalfAnswer> answers = new ArrayList<>(calls.size());
    for (Part part : parts(calls)) {
      List<HalfWire.Answer> answered = answered(part, answers.size());
      for (HalfWire.Answer each : answered) {
        answers.add(answer(calls.get(answers.size()).key(), each));
      }
    }
    return answers;
  }

  private List<HalfWire.Answer> answered(Part part, int before) {
    try {
      return requests.run(part);
    } catch (OutboxException e) {
      throw before == 0 ? e : CallerRefusal.after(before, e);
    }
  }

  /** Divides the calls into as few requests as their limits allow. */
  private List<Part> parts(List<HalfCall> calls) {
    List<Part> parts = new ArrayList<>();
    List<HalfWire.Call> some = new ArrayList<>();
    long bytes = 0;
    for (HalfCall call : calls) {
      HalfWire.Call encoded = encoded(call);
      long length = Part.share(encoded, config.requestBytes());
      if (!some.isEmpty()
          && (some.size() >= config.callsPerRequest() || bytes + length > config.requestBytes())) {
        parts.add(new Part(List.copyOf(some), bytes));
        some.clear();
        bytes = 0;
      }
      some.add(encoded);
      bytes += length;
    }
    if (!some.isEmpty()) {
      parts.add(new Part(some, bytes));
    }
    return parts;
  }

  private HalfWire.Call encoded(HalfCall given) {
    HalfCall call =
        intake == null && given instanceof HalfCall.Prepare
            ? given
            : given.accepted(intake == null ? MessageIntake.of(null) : intake);
    if (call instanceof HalfCall.Prepare prepare) {
      config.limits().check(prepare.message().message());
    }
    HalfWire.Call encoded = CallEncoding.call(call);
    if (Part.bytes(encoded) > config.requestBytes()) {
      throw new InvalidMessageException(
          "half message "
              + call.key()
              + ": "
              + Part.bytes(encoded)
              + " bytes in a request (expected: at most "
              + config.requestBytes()
              + "); raise the bytes of a request, here and as maxInboundMessageSize of the server");
    }
    return encoded;
  }

  private static HalfAnswer answer(HalfKey key, HalfWire.Answer answer) {
    HalfState state = state(key, answer.getState(), answer.getStateValue());
    if (answer.getRefusal() == HalfWire.Refusal.REFUSAL_UNSPECIFIED) {
      return new HalfAnswer(key, state, null);
    }
    Refusal refusal =
        Codes.refusal(answer.getRefusal())
            .orElseThrow(() -> notKnown(key, "refusal " + answer.getRefusalValue()));
    return new HalfAnswer(key, state, refusal);
  }

  private static HalfState state(HalfKey key, HalfWire.State code, int number) {
    return Codes.state(code).orElseThrow(() -> notKnown(key, "state " + number));
  }

  private static StoreException notKnown(HalfKey key, String what) {
    return new StoreException(
        "Half message "
            + key
            + ": the server answered "
            + what
            + ", which this version of angarium-grpc does not know; use that of the server",
        null);
  }

  @Override
  public Map<HalfKey, HalfState> states(Collection<HalfKey> keys) {
    List<HalfKey> all = List.copyOf(keys);
    Map<HalfKey, HalfState> states = new HashMap<>();
    for (int start = 0; start < all.size(); start += KEYS_PER_REQUEST) {
      addStates(all.subList(start, Math.min(start + KEYS_PER_REQUEST, all.size())), states);
    }
    return states;
  }

  private void addStates(List<HalfKey> keys, Map<HalfKey, HalfState> states) {
    HalfWire.StatesRequest.Builder request = HalfWire.StatesRequest.newBuilder();
    keys.forEach(key -> request.addKeys(CallEncoding.key(key)));
    HalfWire.StatesResponse response = states(request.build());
    if (response.getStatesCount() != keys.size()) {
      throw new StoreException(
          "States of half messages over gRPC: "
              + response.getStatesCount()
              + " for "
              + keys.size()
              + " keys; is it a server of half messages?",
          null);
    }
    for (int i = 0; i < keys.size(); i++) {
      HalfKey key = keys.get(i);
      states.put(key, state(key, response.getStates(i), response.getStatesValue(i)));
    }
  }

  /** With the token, if there is one. */
  private <S extends AbstractStub<S>> S shown(S stub) {
    return credentials == null ? stub : stub.withCallCredentials(credentials);
  }

  private HalfWire.StatesResponse states(HalfWire.StatesRequest request) {
    try {
      return shown(HalfMessagesGrpc.newBlockingStub(channel))
          .withDeadlineAfter(config.timeout().toNanos(), TimeUnit.NANOSECONDS)
          .states(request);
    } catch (StatusRuntimeException e) {
      if (NOT_PERMITTED.contains(e.getStatus().getCode())) {
        throw new NotPermittedException(
            "States of half messages over gRPC: " + refused(e.getStatus()));
      }
      throw new StoreException(
          "States of half messages over gRPC: " + describe(e.getStatus()) + "; ask again", e);
    }
  }

  /** Describes a refusal, whose code is one of {@link #NOT_PERMITTED}. */
  static String refused(Status status) {
    return status.getCode() == Status.Code.UNAUTHENTICATED
        ? CallerRefusal.unknown(describe(status))
        : CallerRefusal.notPermitted(describe(status));
  }

  static String describe(Status status) {
    StringBuilder text = new StringBuilder(status.getCode().name());
    append(text, status.getDescription());
    Throwable cause = status.getCause();
    append(text, cause == null ? null : cause.getMessage());
    return text.toString();
  }

  private static void append(StringBuilder text, @Nullable String more) {
    String excerpt = Excerpt.of(more);
    if (!excerpt.isEmpty()) {
      text.append(": ").append(excerpt);
    }
  }

  /** How many callers wait for their turn. */
  int waiting() {
    return requests.waiting();
  }

  /**
   * Breaks off what is under way if the channel is its own; calls after it fail. A channel that was
   * given stays open. May be called twice.
   */
  @Override
  public void close() {
    if (own != null) {
      own.shutdownNow();
    }
  }
}
