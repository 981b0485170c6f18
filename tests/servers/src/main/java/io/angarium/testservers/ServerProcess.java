package io.angarium.testservers;

import java.util.OptionalLong;

/** The process behind a server: a local one, a container, or one that is not ours. */
sealed interface ServerProcess
    permits LocalProcess, AssistedProcess, ContainerProcess, NamedProcess {
  void start();

  void stop();

  void kill();

  void pause();

  void resume();

  OptionalLong pid();

  /** Waits up to {@code millis} for the end of the process. Returns whether it has ended. */
  boolean ended(long millis);

  /** The end of what the server printed, for error messages. */
  String lastOutput();

  /** Ends the process and deletes its data. */
  void close();
}
