package io.angarium.server.grpc;

import io.angarium.server.access.Access;
import io.angarium.server.access.Caller;
import io.angarium.server.problem.ProblemException;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets no request over gRPC in but of whom {@link Access} knows, before anything of it is read; and
 * of a stream of requests each one. Thread-safe.
 */
public final class GrpcAccess implements ServerInterceptor {
  private static final Context.Key<Supplier<Caller>> CALLER =
      Context.key("io.angarium.server.caller");

  private static final Context.Key<Boolean> COUNTED =
      Context.keyWithDefault("io.angarium.server.counted", false);

  /** For probes, which show nothing. */
  private static final String HEALTH = "grpc.health.v1.Health";

  /** The only method of it: a stream that lasts would be anybody's. */
  private static final String CHECK = "Check";

  private static final String PROBE = "a probe over gRPC";

  /** Maximum bytes of a probe, which has the name of a service. */
  private static final long PROBE_BYTES_MAX = 4 << 10;

  private final Access access;

  public GrpcAccess(Access access) {
    this.access = access;
  }

  /**
   * Who makes the request that is worked at now. To be asked once for each: may wait for the issuer
   * of a token.
   *
   * @throws ProblemException if it is let in no longer: a stream can last for longer than what it
   *     has shown at its start
   */
  static Caller caller() {
    Supplier<Caller> caller = CALLER.get();
    if (caller == null) {
      throw new IllegalStateException("a request over gRPC that went past the access");
    }
    return caller.get();
  }

  /**
   * Counts the calls of a request. If the request is a single message, its first call has been
   * counted before.
   *
   * @throws ProblemException if there were too many before
   */
  static void count(Caller caller, int calls) {
    if (COUNTED.get()) {
      caller.countMore(calls - 1);
    } else {
      caller.count(Math.max(1, calls));
    }
  }

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    if (HEALTH.equals(call.getMethodDescriptor().getServiceName())) {
      return probed(call, headers, next);
    }
    boolean single = call.getMethodDescriptor().getType().clientSendsOneMessage();
    Caller caller;
    try {
      caller = caller(call.getAuthority(), headers);
      caller.count(single ? 1 : 0); // before anything of the request is read
    } catch (ProblemException e) {
      return refused(call, status(e.status()).withDescription(e.getMessage()));
    }
    Supplier<Caller> asked = single ? () -> caller : () -> caller(call.getAuthority(), headers);
    Context context = Context.current().withValues(CALLER, asked, COUNTED, single);
    return counted(
        call,
        caller.name(),
        Long.MAX_VALUE,
        each -> Contexts.interceptCall(context, each, headers, next));
  }

  private static <Q, R> ServerCall.Listener<Q> probed(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    if (!CHECK.equals(call.getMethodDescriptor().getBareMethodName())) {
      return refused(
          call, Status.UNIMPLEMENTED.withDescription("only Check is served of " + HEALTH));
    }
    return counted(call, PROBE, PROBE_BYTES_MAX, each -> next.startCall(each, headers));
  }

  private static <Q, R> ServerCall.Listener<Q> counted(
      ServerCall<Q, R> call,
      String caller,
      long bytesMax,
      Function<ServerCall<Q, R>, ServerCall.Listener<Q>> begin) {
    RefusableCall<Q, R> refusable = new RefusableCall<>(call);
    GrpcBodies.Body body = GrpcBodies.current();
    if (body == null) {
      return refusable.until(begin.apply(refusable), () -> {});
    }
    boolean single = call.getMethodDescriptor().getType().clientSendsOneMessage();
    body.begin(caller, refusable, single, bytesMax);
    return refusable.until(begin.apply(refusable), body::halfClosed);
  }

  private static <Q, R> ServerCall.Listener<Q> refused(ServerCall<Q, R> call, Status status) {
    call.close(status, new Metadata());
    return new ServerCall.Listener<>() {};
  }

  private Caller caller(@Nullable String authority, Metadata headers) {
    return access.caller(authority, name -> headers.get(key(String.valueOf(name))));
  }

  /** What a request is answered that is not let in. */
  static Status status(int http) {
    return switch (http) {
      case 401 -> Status.UNAUTHENTICATED;
      case 403 -> Status.PERMISSION_DENIED;
      case 429 -> Status.RESOURCE_EXHAUSTED;
      default -> Status.UNAVAILABLE;
    };
  }

  private static Metadata.Key<String> key(String header) {
    return Metadata.Key.of(header.toLowerCase(Locale.ROOT), Metadata.ASCII_STRING_MARSHALLER);
  }
}
