package io.angarium.alert;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hears what becomes of alerts, for meters. Must not block. */
public interface AlertListener {
  /** Hears nothing. */
  AlertListener NONE = new AlertListener() {};

  /** A channel was told, or could not be. */
  default void told(String channel, boolean success) {}

  /** How many alerts of a rule are on, for each rule in each round of this node. */
  default void firing(String rule, Severity severity, int count) {}

  /** Returns a listener for several. What one throws is logged once and holds up no other. */
  static AlertListener all(List<? extends AlertListener> listeners) {
    List<AlertListener> each = List.copyOf(listeners);
    return new AlertListener() {
      private static final Logger LOG = LoggerFactory.getLogger(AlertListener.class);

      private final AtomicBoolean logged = new AtomicBoolean();

      @Override
      public void told(String channel, boolean success) {
        hear(listener -> listener.told(channel, success));
      }

      @Override
      public void firing(String rule, Severity severity, int count) {
        hear(listener -> listener.firing(rule, severity, count));
      }

      private void hear(Consumer<AlertListener> what) {
        for (AlertListener listener : each) {
          try {
            what.accept(listener);
          } catch (RuntimeException | LinkageError e) { // the latter: a library of another version
            if (logged.compareAndSet(false, true)) {
              LOG.error("Listener {} of alerts failed; later failures are not logged", listener, e);
            }
          }
        }
      }
    };
  }
}
