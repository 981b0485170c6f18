package io.angarium.half;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells several listeners and keeps their exceptions away from the check-back. Thread-safe. */
final class SafeHalfListener implements HalfListener {
  private static final Logger LOG = LoggerFactory.getLogger(SafeHalfListener.class);

  private final List<HalfListener> listeners;
  private final AtomicBoolean logged = new AtomicBoolean();

  SafeHalfListener(List<HalfListener> listeners) {
    this.listeners = List.copyOf(listeners);
  }

  private void tell(Consumer<HalfListener> event) {
    for (HalfListener listener : listeners) {
      try {
        event.accept(listener);
      } catch (RuntimeException | LinkageError e) { // the latter: a library of another version
        if (logged.compareAndSet(false, true)) {
          LOG.error(
              "Listener {} of half messages failed; later failures are not logged", listener, e);
        }
      }
    }
  }

  @Override
  public void checked(HalfKey key, CheckAnswer answer) {
    tell(listener -> listener.checked(key, answer));
  }

  @Override
  public void gaveUp(HalfKey key, int checks) {
    tell(listener -> listener.gaveUp(key, checks));
  }

  @Override
  public void endpointUnreachable(String endpoint, Duration since, String reason) {
    tell(listener -> listener.endpointUnreachable(endpoint, since, reason));
  }

  @Override
  public void endpointReachable(String endpoint) {
    tell(listener -> listener.endpointReachable(endpoint));
  }
}
