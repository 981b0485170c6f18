package io.angarium.server.http;

import io.angarium.TimeSource;
import io.angarium.server.bodies.BodyRead;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.coyote.Processor;
import org.apache.coyote.Request;
import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.coyote.http11.Http11Processor;
import org.apache.tomcat.util.net.AbstractEndpoint.Handler.SocketState;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HTTP of Tomcat that closes a connection whose handshake of TLS, or the head of whose request, is
 * not whole within the connection's time-out, and one that waits too long for a piece of a body.
 * Tomcat itself begins these times anew with each byte. Public, as Tomcat makes it by its name.
 */
public final class LimitedHeadProtocol extends Http11NioProtocol {
  private static final Logger LOG = LoggerFactory.getLogger(LimitedHeadProtocol.class);
  private static final long SWEEP_MILLIS = 1_000;

  private final TimeSource time = TimeSource.SYSTEM;
  private final Map<SocketWrapperBase<?>, Request> served = new ConcurrentHashMap<>();
  private @Nullable ScheduledFuture<?> sweeps;

  /** Since when handshakes are seen that have not ended; of the sweeps alone. */
  private Map<SocketWrapperBase<?>, Long> handshakes = Map.of();

  @Override
  public void start() throws Exception {
    super.start();
    sweeps =
        getUtilityExecutor()
            .scheduleWithFixedDelay(this::sweep, SWEEP_MILLIS, SWEEP_MILLIS, TimeUnit.MILLISECONDS);
  }

  @Override
  public void stop() throws Exception {
    if (sweeps != null) {
      sweeps.cancel(false);
    }
    super.stop();
  }

  /** One that fails must not be the last one. */
  private void sweep() {
    try {
      closeUnfinished();
    } catch (RuntimeException e) {
      LOG.warn(
          "Connections could not be looked through for unfinished heads; it is tried again", e);
    }
  }

  private void closeUnfinished() {
    long limitNanos = TimeUnit.MILLISECONDS.toNanos(getConnectionTimeout());
    Map<SocketWrapperBase<?>, Long> stillShaking = new HashMap<>();
    for (SocketWrapperBase<NioChannel> connection : getEndpoint().getConnections()) {
      NioChannel channel = connection.getSocket();
      if (channel != null && !channel.isHandshakeComplete()) {
        long since = handshakes.getOrDefault(connection, time.nanoTime());
        if (time.nanoTime() - since > limitNanos) {
          connection.close();
        } else {
          stillShaking.put(connection, since);
        }
      } else if (connection.getCurrentProcessor() instanceof Processor processor
          && isUnfinished(processor, limitNanos)) {
        connection.close();
      }
    }
    handshakes = stillShaking;
    served.forEach(
        (connection, request) -> {
          BodyRead read = BodyRead.of(request);
          if (read != null && read.isTooLong()) {
            connection.close();
          }
        });
  }

  @Override
  protected Processor createProcessor() {
    return new Http11Processor(this, getAdapter()) {
      @Override
      public SocketState service(SocketWrapperBase<?> connection) throws IOException {
        served.put(connection, request);
        try {
          return super.service(connection);
        } finally {
          served.remove(connection);
        }
      }
    };
  }

  /**
   * Between two readings of a head its connection keeps the processor, and else only for others.
   */
  private boolean isUnfinished(Processor processor, long limitNanos) {
    if (processor.isAsync() || processor.isUpgrade()) {
      return false;
    }
    Request request = processor.getRequest();
    long startNanos = request == null ? -1 : request.getStartTimeNanos();
    return startNanos != -1 && time.nanoTime() - startNanos > limitNanos;
  }
}
