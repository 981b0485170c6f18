package io.angarium.half;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells several listeners and keeps their exceptions away from the check-back. Thread-safe. */
final class SafeHalfListener implements HalfListener {
  private static final Logger LOG = LoggerFactory.getLogger(SafeHalfListener.class);

  private final Supplier<List<HalfListener>> source;
  private final AtomicBoolean logged = new AtomicBoolean();
  private volatile @Nullable List<HalfListener> listeners;

  SafeHalfListener(Supplier<List<HalfListener>> source) {
    this.source = source;
  }

  private List<HalfListener> listeners() {
    List<HalfListener> known = listeners;
    if (known == null) {
      known = List.copyOf(source.get());
      listeners = known;
    }
    return known;
  }

  private void tell(Consumer<HalfListener> event) {
    for (HalfListener listener : listeners()) {
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
  public void changed(HalfKey key, HalfState before, HalfState after, Duration age) {
    tell(listener -> listener.changed(key, before, after, age));
  }

  @Override
  public void refused(HalfKey key, HalfStep step, Refusal refusal) {
    tell(listener -> listener.refused(key, step, refusal));
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

  @Override
  public void endpointForgotten(String endpoint) {
    tell(listener -> listener.endpointForgotten(endpoint));
  }
}
