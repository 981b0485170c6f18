package io.angarium.testservers;

import java.util.OptionalLong;

/** A server that was running before the tests: it is used, never touched. */
final class NamedProcess implements ServerProcess {
  private final Server server;

  NamedProcess(Server server) {
    this.server = server;
  }

  @Override
  public void start() {}

  @Override
  public void stop() {
    throw refusal();
  }

  @Override
  public void kill() {
    throw refusal();
  }

  @Override
  public void pause() {
    throw refusal();
  }

  @Override
  public void resume() {
    throw refusal();
  }

  private UnsupportedOperationException refusal() {
    return new UnsupportedOperationException(
        "The "
            + server.title()
            + " named by "
            + server.variable()
            + " does not belong to the tests and is not stopped, killed or paused;"
            + " start one with ServerOptions.standard().ownProcess()");
  }

  @Override
  public OptionalLong pid() {
    return OptionalLong.empty();
  }

  @Override
  public boolean ended(long millis) {
    Shell.pause(millis);
    return false;
  }

  @Override
  public String lastOutput() {
    return "(output of a named server is not visible here)";
  }

  @Override
  public void close() {}
}
