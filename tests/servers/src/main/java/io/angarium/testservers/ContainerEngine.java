package io.angarium.testservers;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The container engine of this machine: Docker or Podman, when its daemon answers. */
final class ContainerEngine {
  private ContainerEngine() {}

  static Programs find() {
    return List.of("docker", "podman").stream()
        .map(InstalledPrograms::program)
        .flatMap(Optional::stream)
        .filter(ContainerEngine::answers)
        .findFirst()
        .map(command -> Programs.of(Origin.CONTAINER, command))
        .orElseThrow(() -> new ServerUnavailableException("no container engine runs here"));
  }

  private static boolean answers(Path command) {
    return Shell.succeeds(command.toString(), "info");
  }
}
