package io.angarium.server;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.util.Locale;
import java.util.Optional;

/**
 * Lets no request over gRPC in but of whom {@link Access} knows, before anything of it is read.
 * Thread-safe.
 */
final class GrpcAccess implements ServerInterceptor {
  private static final Context.Key<Caller> CALLER = Context.key("io.angarium.server.caller");

  private final Access access;

  GrpcAccess(Access access) {
    this.access = access;
  }

  /** Who makes the request that is worked at now. */
  static Caller caller() {
    Caller caller = CALLER.get();
    if (caller == null) {
      throw new IllegalStateException("a request over gRPC that went past the access");
    }
    return caller;
  }

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    Optional<Caller> caller =
        access.caller(call.getAuthority(), name -> headers.get(key(String.valueOf(name))));
    if (caller.isPresent()) {
      Context context = Context.current().withValue(CALLER, caller.get());
      return Contexts.interceptCall(context, call, headers, next);
    }
    Status status = access.wantsKey() ? Status.UNAUTHENTICATED : Status.PERMISSION_DENIED;
    call.close(status.withDescription(access.reason()), new Metadata());
    return new ServerCall.Listener<>() {};
  }

  private static Metadata.Key<String> key(String header) {
    return Metadata.Key.of(header.toLowerCase(Locale.ROOT), Metadata.ASCII_STRING_MARSHALLER);
  }
}
