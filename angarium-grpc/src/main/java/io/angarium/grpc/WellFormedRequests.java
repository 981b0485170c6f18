package io.angarium.grpc;

import com.google.protobuf.InvalidProtocolBufferException;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.InputStream;

/**
 * Answers a request that is no message of protobuf {@code INVALID_ARGUMENT}: gRPC itself says
 * {@code INTERNAL} or {@code UNKNOWN}, after which clients repeat it. Thread-safe.
 */
final class WellFormedRequests implements ServerInterceptor {
  private WellFormedRequests() {}

  /** A service that is asked for nothing malformed. */
  static ServerServiceDefinition of(ServerServiceDefinition service) {
    return ServerInterceptors.intercept(
        ServerInterceptors.useInputStreamMessages(service), new WellFormedRequests());
  }

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    Refusable<Q, R> refusable = new Refusable<>(call);
    return new SimpleForwardingServerCallListener<>(next.startCall(refusable, headers)) {
      @Override
      @SuppressWarnings("unchecked") // requests are streams here, see of
      public void onMessage(Q message) {
        if (refusable.isRefused()) {
          return;
        }
        try {
          super.onMessage(
              (Q) FieldCount.limited(call.getMethodDescriptor(), (InputStream) message));
        } catch (InvalidProtocolBufferException e) {
          refusable.refuse();
        } catch (StatusRuntimeException e) {
          if (!(e.getCause() instanceof InvalidProtocolBufferException)) { // of the parser
            throw e;
          }
          refusable.refuse();
        }
      }

      @Override
      public void onHalfClose() {
        if (!refusable.isRefused()) {
          super.onHalfClose();
        }
      }
    };
  }

  /** A call whose further answers are dropped once it is refused. */
  private static final class Refusable<Q, R> extends SimpleForwardingServerCall<Q, R> {
    private boolean refused;

    Refusable(ServerCall<Q, R> call) {
      super(call);
    }

    synchronized boolean isRefused() {
      return refused;
    }

    synchronized void refuse() {
      refused = true;
      super.close(
          Status.INVALID_ARGUMENT.withDescription(
              "the request is no protobuf message of this method, or has more than %d fields and one for each %d bytes; nothing of it took effect"
                  .formatted(FieldCount.FIELDS, FieldCount.BYTES_EACH)),
          new Metadata());
    }

    @Override
    public synchronized void sendHeaders(Metadata headers) {
      if (!refused) {
        super.sendHeaders(headers);
      }
    }

    @Override
    public synchronized void sendMessage(R message) {
      if (!refused) {
        super.sendMessage(message);
      }
    }

    @Override
    public synchronized void close(Status status, Metadata trailers) {
      if (!refused) {
        super.close(status, trailers);
      }
    }
  }
}
