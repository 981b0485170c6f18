package io.angarium.rocketmq;

import org.apache.rocketmq.logging.org.slf4j.Marker;
import org.apache.rocketmq.logging.org.slf4j.event.Level;
import org.apache.rocketmq.logging.org.slf4j.helpers.LegacyAbstractLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes lines of RocketMQ's client to the SLF4J of the application. INFO and WARN become DEBUG:
 * the client reports each heartbeat and, while a broker is away, several stack traces a second,
 * where the transport reports once what matters. Markers are left out. Thread-safe.
 */
final class ClientLogger extends LegacyAbstractLogger {
  private static final long serialVersionUID = 1;

  private final transient Logger logger;

  ClientLogger(String name) {
    this.name = name;
    this.logger = LoggerFactory.getLogger(name);
  }

  @Override
  public boolean isTraceEnabled() {
    return logger.isTraceEnabled();
  }

  @Override
  public boolean isDebugEnabled() {
    return logger.isDebugEnabled();
  }

  @Override
  public boolean isInfoEnabled() {
    return logger.isDebugEnabled();
  }

  @Override
  public boolean isWarnEnabled() {
    return logger.isDebugEnabled();
  }

  @Override
  public boolean isErrorEnabled() {
    return logger.isErrorEnabled();
  }

  @Override
  protected @Nullable String getFullyQualifiedCallerName() {
    return null;
  }

  @Override
  protected void handleNormalizedLoggingCall(
      Level level,
      @Nullable Marker marker,
      String message,
      Object @Nullable [] arguments,
      @Nullable Throwable cause) {
    logger
        .atLevel(toDebug(level))
        .setCause(cause)
        .log(message, arguments == null ? new Object[0] : arguments);
  }

  private static org.slf4j.event.Level toDebug(Level level) {
    return level == Level.INFO || level == Level.WARN
        ? org.slf4j.event.Level.DEBUG
        : org.slf4j.event.Level.valueOf(level.name());
  }
}
