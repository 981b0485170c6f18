package io.angarium.testservers;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** A server in a container, driven through the engine's command line. */
final class ContainerProcess implements ServerProcess {
  private static final Duration LIMIT = Duration.ofMinutes(10);

  private final Path engine;
  private final Path folder;
  private final String name;
  private final List<String> creation;
  private boolean created;

  /**
   * @param options what stands before the image: ports and environment
   * @param arguments what stands after it
   */
  ContainerProcess(
      Path engine, Path folder, List<String> options, String image, List<String> arguments) {
    this.engine = engine;
    this.folder = folder;
    this.name = String.valueOf(folder.getFileName());
    this.creation = new ArrayList<>(List.of("run", "--detach", "--name", name));
    creation.addAll(options);
    creation.add(image);
    creation.addAll(arguments);
  }

  /** What stands before the arguments of a program that is to run in the container. */
  List<String> inside(String... command) {
    List<String> all = new ArrayList<>(List.of(engine.toString(), "exec", name));
    all.addAll(List.of(command));
    return all;
  }

  @Override
  public void start() {
    if (created) {
      engine("start", name);
    } else {
      engine(creation.toArray(String[]::new));
      created = true;
    }
  }

  @Override
  public void stop() {
    engine("stop", name);
  }

  @Override
  public void kill() {
    if (!ended(0)) {
      engine("kill", "--signal", "KILL", name);
    }
  }

  @Override
  public void pause() {
    engine("pause", name);
  }

  @Override
  public void resume() {
    engine("unpause", name);
  }

  @Override
  public OptionalLong pid() {
    return OptionalLong.empty();
  }

  @Override
  public boolean ended(long millis) {
    Shell.pause(millis);
    return !created || engine("inspect", "--format", "{{.State.Running}}", name).contains("false");
  }

  @Override
  public String lastOutput() {
    return engine("logs", "--tail", "40", name);
  }

  @Override
  public void close() {
    if (created) {
      engine("rm", "--force", "--volumes", name);
      created = false;
    }
    Shell.deleteTree(folder);
  }

  private String engine(String... arguments) {
    List<String> command = new ArrayList<>(List.of(engine.toString()));
    command.addAll(List.of(arguments));
    return Shell.run(folder, LIMIT, command);
  }
}
