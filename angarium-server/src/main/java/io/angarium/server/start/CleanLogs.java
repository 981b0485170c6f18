package io.angarium.server.start;

import ch.qos.logback.classic.AsyncAppender;
import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.LoggerContextVO;
import ch.qos.logback.classic.spi.StackTraceElementProxy;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.Layout;
import ch.qos.logback.core.LayoutBase;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import java.time.Instant;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;
import org.slf4j.event.KeyValuePair;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.boot.context.logging.LoggingApplicationListener;
import org.springframework.context.ApplicationListener;
import org.springframework.core.Ordered;

/**
 * Cleans everything that is logged in this process by {@link CleanText}, in one place: what the
 * server, its libraries or a driver logs. Works with every pattern, and cleans the message, the
 * exception, the MDC and the pairs of an event. Formats with a structure escape by themselves.
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
      Appender<ILoggingEvent> appender = appenders.next();
      if (appender instanceof AsyncAppender async) {
        clean(async.iteratorForAppenders());
      } else if (appender instanceof OutputStreamAppender<ILoggingEvent> out) {
        clean(out);
      }
    }
  }

  /** Has it lay out a clean view of every event, whatever words its pattern has. */
  public static void clean(OutputStreamAppender<ILoggingEvent> out) {
    if (out.getEncoder() instanceof PatternLayoutEncoder given) {
      LayoutWrappingEncoder<ILoggingEvent> encoder = new LayoutWrappingEncoder<>();
      encoder.setContext(given.getContext());
      encoder.setCharset(given.getCharset());
      encoder.setLayout(new CleanLayout(given.getLayout()));
      encoder.start();
      out.setEncoder(encoder);
    }
  }

  /** Lays out a clean view of an event. */
  private static final class CleanLayout extends LayoutBase<ILoggingEvent> {
    private final Layout<ILoggingEvent> layout;

    CleanLayout(Layout<ILoggingEvent> layout) {
      this.layout = layout;
      start();
    }

    @Override
    public String doLayout(ILoggingEvent event) {
      return layout.doLayout(new CleanEvent(event));
    }
  }

  /** What is told with an event, each text in one line. */
  private record CleanEvent(ILoggingEvent given) implements ILoggingEvent {
    @Override
    public String getFormattedMessage() {
      String text = String.valueOf(given.getFormattedMessage());
      return given.getLoggerName().startsWith(FAILURES)
          ? CleanText.withoutSecrets(text)
          : CleanText.line(text);
    }

    @Override
    public @Nullable IThrowableProxy getThrowableProxy() {
      return given.getThrowableProxy() == null ? null : new Clean(given.getThrowableProxy());
    }

    @Override
    public Map<String, String> getMDCPropertyMap() {
      Map<String, String> clean = new LinkedHashMap<>();
      given.getMDCPropertyMap().forEach((name, value) -> clean.put(line(name), line(value)));
      return clean;
    }

    @Override
    @SuppressWarnings({"deprecation", "InlineMeSuggester"}) // as the interface has it
    public Map<String, String> getMdc() {
      return getMDCPropertyMap();
    }

    @Override
    public @Nullable List<KeyValuePair> getKeyValuePairs() {
      return given.getKeyValuePairs() == null
          ? null
          : given.getKeyValuePairs().stream()
              .map(pair -> new KeyValuePair(line(pair.key), line(pair.value)))
              .toList();
    }

    private static String line(@Nullable Object text) {
      return CleanText.line(String.valueOf(text));
    }

    @Override
    public String getThreadName() {
      return line(given.getThreadName());
    }

    @Override
    public String getMessage() {
      return line(given.getMessage());
    }

    @Override
    public Level getLevel() {
      return given.getLevel();
    }

    @Override
    public Object @Nullable [] getArgumentArray() {
      return given.getArgumentArray();
    }

    @Override
    public String getLoggerName() {
      return given.getLoggerName();
    }

    @Override
    public LoggerContextVO getLoggerContextVO() {
      return given.getLoggerContextVO();
    }

    @Override
    public StackTraceElement[] getCallerData() {
      return given.getCallerData();
    }

    @Override
    public boolean hasCallerData() {
      return given.hasCallerData();
    }

    @Override
    public @Nullable List<Marker> getMarkerList() {
      return given.getMarkerList();
    }

    @Override
    public long getTimeStamp() {
      return given.getTimeStamp();
    }

    @Override
    public Instant getInstant() {
      return given.getInstant();
    }

    @Override
    public int getNanoseconds() {
      return given.getNanoseconds();
    }

    @Override
    public long getSequenceNumber() {
      return given.getSequenceNumber();
    }

    @Override
    public void prepareForDeferredProcessing() {
      given.prepareForDeferredProcessing();
    }
  }

  private record Clean(IThrowableProxy given) implements IThrowableProxy {
    @Override
    public @Nullable String getMessage() {
      String message = given.getMessage();
      return message == null ? null : CleanText.line(message);
    }

    @Override
    public @Nullable String getOverridingMessage() {
      String message = given.getOverridingMessage();
      return message == null ? null : CleanText.line(message);
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
