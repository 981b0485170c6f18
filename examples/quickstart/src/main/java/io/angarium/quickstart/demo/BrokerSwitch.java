package io.angarium.quickstart.demo;

import io.angarium.testservers.TestServer;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Stops, kills and starts the broker while the page looks on. One change at a time. Thread-safe.
 */
@Component
class BrokerSwitch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(BrokerSwitch.class);

  private final TestServer server;
  private final String title;
  private final ExecutorService worker =
      Executors.newSingleThreadExecutor(task -> new Thread(task, "broker-switch"));
  private State state = State.RUNNING;
  private @Nullable String error;

  BrokerSwitch(LocalServers servers) {
    this.server = servers.broker().server();
    this.title = servers.broker().title();
  }

  /** What the broker is doing. */
  enum State {
    RUNNING,
    STOPPING,
    STOPPED,
    STARTING
  }

  /** What can be done to it. */
  enum Action {
    /** Asks it to stop in good order. */
    STOP(State.RUNNING, State.STOPPING, State.STOPPED),
    /** Kills its process with SIGKILL. */
    KILL(State.RUNNING, State.STOPPING, State.STOPPED),
    /** Starts it again on the same port and data. */
    START(State.STOPPED, State.STARTING, State.RUNNING);

    private final State from;
    private final State meanwhile;
    private final State to;

    Action(State from, State meanwhile, State to) {
      this.from = from;
      this.meanwhile = meanwhile;
      this.to = to;
    }
  }

  /**
   * Begins a change and returns at once.
   *
   * @return false if the broker is not in the state that the action starts from
   */
  synchronized boolean begin(Action action) {
    if (state != action.from) {
      return false;
    }
    state = action.meanwhile;
    error = null;
    worker.execute(() -> carryOut(action));
    return true;
  }

  private void carryOut(Action action) {
    try {
      switch (action) {
        case STOP -> server.stop();
        case KILL -> server.kill();
        case START -> server.restart();
      }
      end(action.to, null);
    } catch (RuntimeException e) {
      LOG.error("The broker could not be switched: {}.", action, e);
      end(server.pid().isPresent() ? State.RUNNING : State.STOPPED, e.getMessage());
    }
  }

  private synchronized void end(State reached, @Nullable String failure) {
    state = reached;
    error = failure;
  }

  synchronized State state() {
    return state;
  }

  /** Why the last change failed; null if it did not. */
  synchronized @Nullable String error() {
    return error;
  }

  String title() {
    return title;
  }

  @Override
  public void close() {
    worker.shutdown();
  }
}
