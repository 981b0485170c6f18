package io.angarium.server.grpc;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;

/**
 * A call over gRPC that can be ended by another thread than the one that answers it. Thread-safe.
 */
public final class RefusableCall<Q, R> extends SimpleForwardingServerCall<Q, R> {
  private boolean closed;

  public RefusableCall(ServerCall<Q, R> call) {
    super(call);
  }

  /** Ends it, unless it has ended; what else comes of it is not worked on. */
  void refuse(Status status) {
    close(status, new Metadata());
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  @Override
  public synchronized void sendHeaders(Metadata headers) {
    if (!closed) {
      super.sendHeaders(headers);
    }
  }

  @Override
  public synchronized void sendMessage(R message) {
    if (!closed) {
      super.sendMessage(message);
    }
  }

  @Override
  public synchronized void close(Status status, Metadata trailers) {
    if (!closed) {
      closed = true;
      super.close(status, trailers);
    }
  }

  /**
   * Tells nothing more of a call that has ended but that it has.
   *
   * @param halfClosed told when nothing more comes of the client
   */
  ServerCall.Listener<Q> until(ServerCall.Listener<Q> listener, Runnable halfClosed) {
    return new SimpleForwardingServerCallListener<>(listener) {
      @Override
      public void onMessage(Q message) {
        if (!isClosed()) {
          super.onMessage(message);
        }
      }

      @Override
      public void onHalfClose() {
        halfClosed.run();
        if (!isClosed()) {
          super.onHalfClose();
        }
      }
    };
  }
}
