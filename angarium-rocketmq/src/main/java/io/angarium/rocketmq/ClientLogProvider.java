package io.angarium.rocketmq;

import org.apache.rocketmq.logging.org.slf4j.ILoggerFactory;
import org.apache.rocketmq.logging.org.slf4j.IMarkerFactory;
import org.apache.rocketmq.logging.org.slf4j.helpers.BasicMarkerFactory;
import org.apache.rocketmq.logging.org.slf4j.helpers.NOPMDCAdapter;
import org.apache.rocketmq.logging.org.slf4j.spi.MDCAdapter;
import org.apache.rocketmq.logging.org.slf4j.spi.SLF4JServiceProvider;

/**
 * Hands the log of RocketMQ's client to the application. The client logs to a copy of SLF4J, which
 * finds this class by {@link java.util.ServiceLoader}; without it, the copy of Logback that comes
 * with the client writes files below the home folder. Thread-safe.
 */
public final class ClientLogProvider implements SLF4JServiceProvider {
  /** The version of the copied interface that this class was written for. */
  private static final String API_VERSION = "2.0.99";

  private final IMarkerFactory markers = new BasicMarkerFactory();
  private final MDCAdapter context = new NOPMDCAdapter();

  /** Called by the copy of SLF4J. */
  public ClientLogProvider() {}

  @Override
  public ILoggerFactory getLoggerFactory() {
    return ClientLogger::new;
  }

  @Override
  public IMarkerFactory getMarkerFactory() {
    return markers;
  }

  @Override
  public MDCAdapter getMDCAdapter() {
    return context;
  }

  @Override
  public String getRequestedApiVersion() {
    return API_VERSION;
  }

  @Override
  public void initialize() {}
}
