package io.angarium.server;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.PatternLayout;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.pattern.MessageConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.StackTraceElementProxy;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.pattern.DynamicConverter;
import java.util.Iterator;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.boot.context.logging.LoggingApplicationListener;
import org.springframework.boot.logging.logback.ExtendedWhitespaceThrowableProxyConverter;
import org.springframework.context.ApplicationListener;
import org.springframework.core.Ordered;

/**
 * The one place where everything that the server logs is cleaned by {@link LogText}, whoever logs
 * it: the server, its libraries or a driver. Works with every pattern; formats with a structure
 * escape by themselves.
 */
public final class CleanLogs
    implements ApplicationListener<ApplicationEnvironmentPreparedEvent>, Ordered {
  /** What stops the start is told in several lines, from the configuration. */
  private static final String FAILURES = "org.springframework.boot.diagnostics.";

  @Override
  public void onApplicationEvent(ApplicationEnvironmentPreparedEvent event) {
    if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
      context.getLoggerList().forEach(logger -> clean(logger.iteratorForAppenders()));
    }
  }

  /** After Spring Boot has made the appenders. */
  @Override
  public int getOrder() {
    return LoggingApplicationListener.DEFAULT_ORDER + 1;
  }

  private static void clean(Iterator<Appender<ILoggingEvent>> appenders) {
    while (appenders.hasNext()) {
      if (appenders.next() instanceof OutputStreamAppender<ILoggingEvent> out
          && out.getEncoder() instanceof PatternLayoutEncoder encoder
          && encoder.getLayout() instanceof PatternLayout layout) {
        clean(layout);
      }
    }
  }

  /** Adds the converters and has the pattern read again. */
  @SuppressWarnings("rawtypes") // as the library has it
  static void clean(PatternLayout layout) {
    Map<String, Supplier<DynamicConverter>> converters = layout.getInstanceConverterMap();
    for (String word : new String[] {"m", "msg", "message"}) {
      converters.put(word, Messages::new);
    }
    for (String word : new String[] {"wEx", "wex", "ex", "exception", "throwable", "xEx"}) {
      converters.put(word, Throwables::new);
    }
    layout.stop();
    layout.start();
  }

  /** Messages in one line. */
  static final class Messages extends MessageConverter {
    @Override
    public String convert(ILoggingEvent event) {
      String text = String.valueOf(event.getFormattedMessage());
      return event.getLoggerName().startsWith(FAILURES)
          ? LogText.withoutSecrets(text)
          : LogText.line(text);
    }
  }

  /** Stack traces whose messages are in one line each. */
  static final class Throwables extends ExtendedWhitespaceThrowableProxyConverter {
    @Override
    protected String throwableProxyToString(IThrowableProxy throwable) {
      return super.throwableProxyToString(new Clean(throwable));
    }
  }

  private record Clean(IThrowableProxy given) implements IThrowableProxy {
    @Override
    public @Nullable String getMessage() {
      String message = given.getMessage();
      return message == null ? null : LogText.line(message);
    }

    @Override
    public @Nullable String getOverridingMessage() {
      String message = given.getOverridingMessage();
      return message == null ? null : LogText.line(message);
    }

    @Override
    public String getClassName() {
      return given.getClassName();
    }

    @Override
    public StackTraceElementProxy[] getStackTraceElementProxyArray() {
      return given.getStackTraceElementProxyArray();
    }

    @Override
    public int getCommonFrames() {
      return given.getCommonFrames();
    }

    @Override
    public @Nullable IThrowableProxy getCause() {
      return given.getCause() == null ? null : new Clean(given.getCause());
    }

    @Override
    public IThrowableProxy[] getSuppressed() {
      return Stream.of(given.getSuppressed()).map(Clean::new).toArray(IThrowableProxy[]::new);
    }

    @Override
    public boolean isCyclic() {
      return given.isCyclic();
    }
  }
}
