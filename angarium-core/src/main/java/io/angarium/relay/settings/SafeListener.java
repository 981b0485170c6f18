package io.angarium.relay.settings;

import io.angarium.Destination;
import io.angarium.intake.StoredMessage;
import io.angarium.store.Invariant;
import io.angarium.transport.SendResult;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells several listeners and keeps their exceptions away from the relay. Thread-safe. */
final class SafeListener implements RelayListener {
  private static final Logger LOG = LoggerFactory.getLogger(SafeListener.class);

  private final Supplier<List<RelayListener>> given;
  private final AtomicBoolean logged = new AtomicBoolean();
  private volatile RelayListener @Nullable [] asked;

  SafeListener(List<RelayListener> listeners) {
    this(() -> listeners);
    listeners(); // which may change later
  }

  SafeListener(Supplier<List<RelayListener>> listeners) {
    this.given = listeners;
  }

  private RelayListener[] listeners() {
    RelayListener[] known = asked;
    if (known == null) {
      try {
        known = given.get().toArray(RelayListener[]::new);
      } catch (RuntimeException e) { // of another's code, which may be closing
        if (logged.compareAndSet(false, true)) {
          LOG.error("Listener {} failed; later failures are not logged.", given, e);
        }
        return new RelayListener[0];
      }
      asked = known;
    }
    return known;
  }

  private void tell(Consumer<RelayListener> event) {
    for (RelayListener listener : listeners()) {
      try {
        event.accept(listener);
      } catch (RuntimeException | Error e) {
        threw(listener, e);
      }
    }
  }

  /**
   * @param e what it threw; an error, too, as a {@link LinkageError} of a library of another
   *     version: a message must not be left without its result for it
   */
  private void threw(RelayListener listener, Throwable e) {
    if (logged.compareAndSet(false, true)) {
      LOG.error("Listener {} failed; later failures are not logged.", listener, e);
    }
  }

  // ---- told of each message: without an object for it

  @Override
  public void sending(StoredMessage message, Route route) {
    for (RelayListener listener : listeners()) {
      try {
        listener.sending(message, route);
      } catch (RuntimeException | Error e) {
        threw(listener, e);
      }
    }
  }

  @Override
  public void attempted(StoredMessage message, Route route, SendResult result) {
    for (RelayListener listener : listeners()) {
      try {
        listener.attempted(message, route, result);
      } catch (RuntimeException | Error e) {
        threw(listener, e);
      }
    }
  }

  @Override
  public void sent(StoredMessage message, Route route, Duration age) {
    for (RelayListener listener : listeners()) {
      try {
        listener.sent(message, route, age);
      } catch (RuntimeException | Error e) {
        threw(listener, e);
      }
    }
  }

  // ---- told of now and then

  @Override
  public void confirmed(int messages) {
    tell(listener -> listener.confirmed(messages));
  }

  @Override
  public void resent(int messages) {
    tell(listener -> listener.resent(messages));
  }

  @Override
  public void failed(StoredMessage message, String reason, @Nullable Duration pause) {
    tell(listener -> listener.failed(message, reason, pause));
  }

  @Override
  public void parked(StoredMessage message, int followers) {
    tell(listener -> listener.parked(message, followers));
  }

  @Override
  public void dead(StoredMessage message, String reason) {
    tell(listener -> listener.dead(message, reason));
  }

  @Override
  public void leaseTaken(int partition) {
    tell(listener -> listener.leaseTaken(partition));
  }

  @Override
  public void leaseGone(int partition) {
    tell(listener -> listener.leaseGone(partition));
  }

  @Override
  public void circuitChanged(Destination destination, CircuitState state) {
    tell(listener -> listener.circuitChanged(destination, state));
  }

  @Override
  public void storeFailed(String task, RuntimeException cause) {
    tell(listener -> listener.storeFailed(task, cause));
  }

  @Override
  public void invariantBroken(Invariant which, String detail) {
    tell(listener -> listener.invariantBroken(which, detail));
  }
}
