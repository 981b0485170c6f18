package io.angarium.grpc;

import io.angarium.grpc.v1.HalfWire;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One open stream of requests. Reads a request for each that was answered, and none while the
 * client does not read the answers; so what it holds is bounded. Thread-safe.
 */
final class CallStream implements StreamObserver<HalfWire.StreamRequest> {
  /** Requests that are read and not answered. */
  static final int UNDER_WAY_MAX = 8;

  private final HalfEndpoint endpoint;
  private final ServerCallStreamObserver<HalfWire.StreamResponse> to;
  private final ReentrantLock lock = new ReentrantLock();
  private int underWay;
  private int readable = UNDER_WAY_MAX;
  private boolean ended;

  private CallStream(HalfEndpoint endpoint, ServerCallStreamObserver<HalfWire.StreamResponse> to) {
    this.endpoint = endpoint;
    this.to = to;
  }

  static CallStream open(
      HalfEndpoint endpoint, ServerCallStreamObserver<HalfWire.StreamResponse> to) {
    CallStream stream = new CallStream(endpoint, to);
    to.disableAutoRequest();
    to.setOnReadyHandler(stream::read);
    to.setOnCancelHandler(() -> {}); // answers to nobody are dropped
    return stream;
  }

  private void read() {
    lock.lock();
    try {
      if (readable > 0 && to.isReady()) {
        to.request(readable);
        readable = 0;
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void onNext(HalfWire.StreamRequest request) {
    lock.lock();
    try {
      underWay++;
    } finally {
      lock.unlock();
    }
    endpoint.serve(request, this);
  }

  /** Sends the answer to one request. */
  void answer(HalfWire.StreamResponse response) {
    lock.lock();
    try {
      to.onNext(response);
      underWay--;
      readable++;
      completeIfOver();
    } finally {
      lock.unlock();
    }
    read();
  }

  private void completeIfOver() {
    if (ended && underWay == 0) {
      to.onCompleted();
    }
  }

  /** The client has gone: what is under way is not begun any more, or answered to nobody. */
  @Override
  public void onError(Throwable cause) {
    // the context of the call says so
  }

  @Override
  public void onCompleted() {
    lock.lock();
    try {
      ended = true;
      completeIfOver();
    } finally {
      lock.unlock();
    }
  }
}
