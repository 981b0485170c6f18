package io.angarium.server;

import io.angarium.TimeSource;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.coyote.Processor;
import org.apache.coyote.Request;
import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HTTP of Tomcat that closes a connection whose request has no whole head within the connection's
 * time-out. Tomcat itself begins that time anew with each byte. Public, as Tomcat makes it by its
 * name.
 */
public final class LimitedHeadProtocol extends Http11NioProtocol {
  private static final Logger LOG = LoggerFactory.getLogger(LimitedHeadProtocol.class);
  private static final long SWEEP_MILLIS = 1_000;

  private final TimeSource time = TimeSource.SYSTEM;
  private @Nullable ScheduledFuture<?> sweeps;

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
    for (SocketWrapperBase<?> connection : getEndpoint().getConnections()) {
      if (connection.getCurrentProcessor() instanceof Processor processor
          && isUnfinished(processor, limitNanos)) {
        connection.close();
      }
    }
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
