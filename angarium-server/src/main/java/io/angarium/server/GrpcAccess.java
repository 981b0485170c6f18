package io.angarium.server;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.util.Locale;

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
    Caller caller;
    try {
      caller = access.caller(call.getAuthority(), name -> headers.get(key(String.valueOf(name))));
    } catch (ProblemException e) {
      call.close(status(e.status()).withDescription(e.getMessage()), new Metadata());
      return new ServerCall.Listener<>() {};
    }
    Context context = Context.current().withValue(CALLER, caller);
    return Contexts.interceptCall(context, call, headers, next);
  }

  private static Status status(int http) {
    return switch (http) {
      case 401 -> Status.UNAUTHENTICATED;
      case 403 -> Status.PERMISSION_DENIED;
      default -> Status.UNAVAILABLE;
    };
  }

  private static Metadata.Key<String> key(String header) {
    return Metadata.Key.of(header.toLowerCase(Locale.ROOT), Metadata.ASCII_STRING_MARSHALLER);
  }
}
