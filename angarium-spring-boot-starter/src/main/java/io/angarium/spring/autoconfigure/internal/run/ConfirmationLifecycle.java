package io.angarium.spring.autoconfigure.internal.run;

import io.angarium.ConfigurationException;
import io.angarium.Destination;
import io.angarium.StoreException;
import io.angarium.background.BackgroundWork;
import io.angarium.spring.settings.AngariumProperties;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.NestedExceptionUtils;

/**
 * Starts what confirmations need, if anything, with the application, and ends it with it.
 * Thread-safe.
 */
public final class ConfirmationLifecycle implements SmartLifecycle, BackgroundWork {
  private static final Logger LOG = LoggerFactory.getLogger(ConfirmationLifecycle.class);

  private final BooleanSupplier anyLeft;
  private final Supplier<AutoCloseable> watch;
  private final Reading reading;
  private final AngariumProperties.Confirmation given;
  private final List<AutoCloseable> running = new CopyOnWriteArrayList<>();

  /** Starts reading receipts. */
  @FunctionalInterface
  public interface Reading {
    AutoCloseable start(Destination from);
  }

  /**
   * Starts nothing yet.
   *
   * @param anyLeft tells whether messages are unconfirmed although confirmation is off
   */
  public ConfirmationLifecycle(
      BooleanSupplier anyLeft,
      Supplier<AutoCloseable> watch,
      Reading reading,
      AngariumProperties.Confirmation given) {
    this.anyLeft = anyLeft;
    this.watch = watch;
    this.reading = reading;
    this.given = given;
  }

  @Override
  public synchronized void start() {
    if (isRunning()) {
      return;
    }
    if (given.isOn()) { // receipts that come grow, too
      running.add(watch.get());
    } else {
      watchWhatIsLeft();
    }
    String from = given.receiptsFrom();
    if (from != null) {
      running.add(read(Destination.parse(from)));
    }
  }

  /** Tables of a feature that is off do not keep the application from starting. */
  private void watchWhatIsLeft() {
    try {
      if (isAnyLeft()) {
        running.add(watch.get());
      }
    } catch (RuntimeException e) {
      LOG.warn(
          "Confirmation is off, and messages that may be left unconfirmed from before are not"
              + " watched: {}",
          NestedExceptionUtils.getMostSpecificCause(e).getMessage());
      LOG.debug("What keeps them from being watched", e);
    }
  }

  private boolean isAnyLeft() {
    try {
      return anyLeft.getAsBoolean();
    } catch (StoreException e) {
      LOG.debug("Whether any message is unconfirmed cannot be told now", e);
      return true;
    }
  }

  private AutoCloseable read(Destination from) {
    try {
      return reading.start(from);
    } catch (RuntimeException e) {
      stop();
      throw new ConfigurationException(
          List.of(
              "angarium.confirmation.receipts-from: "
                  + from
                  + " cannot be read: "
                  + e
                  + " (expected: a source of a transport whose module and client are there)"));
    }
  }

  @Override
  public synchronized void stop() {
    for (AutoCloseable part : running) {
      try {
        part.close();
      } catch (Exception e) {
        LOG.debug("A part of the confirmations failed closing", e);
      }
    }
    running.clear();
  }

  @Override
  public synchronized boolean isRunning() {
    return !running.isEmpty();
  }

  /** Covers the watch only: reading receipts needs a broker, whose absence is no fault here. */
  @Override
  public Optional<String> fault() {
    return running.stream()
        .filter(BackgroundWork.class::isInstance)
        .map(part -> ((BackgroundWork) part).fault())
        .flatMap(Optional::stream)
        .findFirst();
  }
}
