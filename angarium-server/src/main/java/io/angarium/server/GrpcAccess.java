package io.angarium.server;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets no request over gRPC in but of whom {@link Access} knows, before anything of it is read; and
 * of a stream of requests each one. Thread-safe.
 */
final class GrpcAccess implements ServerInterceptor {
  private static final Context.Key<Supplier<Caller>> CALLER =
      Context.key("io.angarium.server.caller");

  private static final Context.Key<Boolean> COUNTED =
      Context.keyWithDefault("io.angarium.server.counted", false);

  /** For probes, which show nothing. */
  private static final String HEALTH = "grpc.health.v1.Health";

  private final Access access;

  GrpcAccess(Access access) {
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
   * Takes the calls of a request into account, of which a single one is counted already.
   *
   * @throws ProblemException if there were too many before
   */
  static void count(Caller caller, int calls) {
    if (COUNTED.get()) {
      caller.countMore(calls - 1);
    } else {
      caller.count(calls);
    }
  }

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    if (HEALTH.equals(call.getMethodDescriptor().getServiceName())) {
      return next.startCall(call, headers);
    }
    boolean single = call.getMethodDescriptor().getType().clientSendsOneMessage();
    Caller caller;
    try {
      caller = caller(call.getAuthority(), headers);
      if (single) {
        caller.count(1); // before anything of the request is read
      }
    } catch (ProblemException e) {
      call.close(status(e.status()).withDescription(e.getMessage()), new Metadata());
      return new ServerCall.Listener<>() {};
    }
    Supplier<Caller> asked = single ? () -> caller : () -> caller(call.getAuthority(), headers);
    Context context = Context.current().withValues(CALLER, asked, COUNTED, single);
    RefusableCall<Q, R> refusable = new RefusableCall<>(call);
    GrpcBodies.Body body = GrpcBodies.current();
    if (body != null) {
      body.begin(caller.name(), refusable, single);
    }
    return refusable.until(Contexts.interceptCall(context, refusable, headers, next));
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
