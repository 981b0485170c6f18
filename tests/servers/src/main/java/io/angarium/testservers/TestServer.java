package io.angarium.testservers;

import java.util.OptionalLong;

/**
 * A running server and what a test can do to it. The methods block until the server is in the state
 * asked for. Only a process of the tests' own can be killed, stopped and paused: on a {@link
 * Origin#NAMED} server these methods throw {@link UnsupportedOperationException}.
 */
public sealed interface TestServer extends AutoCloseable permits RunningServer {
  /** The kind of server. */
  Server server();

  /** The version as the server itself states it, for instance {@code 15.20}. */
  String version();

  /** Where the server came from. */
  Origin origin();

  /** The port on {@link #host()} where clients connect; the same after each restart. */
  int port();

  /** The host where clients connect; the loopback address unless the server was named. */
  String host();

  /** The process id of the server as long as it runs on this machine, else empty. */
  OptionalLong pid();

  /**
   * Stops the server in good order, the way its makers intend; a RocketMQ broker takes fifteen
   * seconds for that. Does nothing when it is not running.
   */
  void stop();

  /**
   * Kills the server with SIGKILL, child processes included. Does nothing when it is not running.
   */
  void kill();

  /** Starts the server again on the same port and the same data, stopping it first when it runs. */
  void restart();

  /** Freezes the server with SIGSTOP: connections stay open and nothing answers. */
  void pause();

  /** Lets a paused server go on. */
  void resume();

  /** Kills the server and deletes its data. A named server is left alone. May be called twice. */
  @Override
  void close();
}
