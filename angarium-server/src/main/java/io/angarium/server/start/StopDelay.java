package io.angarium.server.start;

import io.angarium.internal.DurationText;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.catalina.connector.Connector;
import org.apache.coyote.http11.AbstractHttp11Protocol;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.tomcat.TomcatWebServer;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.SmartLifecycle;

/**
 * Keeps a server that is told to stop serving for a while. Its readiness is refused by then, so a
 * proxy that follows the readiness opens no connection to it any more; and each answer over HTTP
 * closes its connection, so none is left when the server stops. Thread-safe.
 */
public final class StopDelay implements SmartLifecycle {
  private static final Logger LOG = LoggerFactory.getLogger(StopDelay.class);

  private final Duration delay;
  private final WebServerApplicationContext context;
  private volatile boolean running;

  public StopDelay(Duration delay, WebServerApplicationContext context) {
    this.delay = delay;
    this.context = context;
  }

  @Override
  public void start() {
    running = true;
  }

  @Override
  public void stop() {
    running = false;
    if (delay.isZero()) {
      return;
    }
    LOG.info(
        "The server is not ready any more; it serves for another {}, then it stops",
        DurationText.of(delay));
    closeAfterEachAnswer();
    try {
      var unused = new CountDownLatch(1).await(delay.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void closeAfterEachAnswer() {
    if (context.getWebServer() instanceof TomcatWebServer tomcat) {
      for (Connector each : tomcat.getTomcat().getService().findConnectors()) {
        if (each.getProtocolHandler() instanceof AbstractHttp11Protocol<?> http) {
          http.setMaxKeepAliveRequests(1);
        }
      }
    }
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  /** Stops before everything else. */
  @Override
  public int getPhase() {
    return Integer.MAX_VALUE;
  }
}
