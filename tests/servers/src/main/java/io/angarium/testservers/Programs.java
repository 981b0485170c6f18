package io.angarium.testservers;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Where the programs of a server were found.
 *
 * @param home the folder that holds {@code bin}, {@code sbin} or {@code share}
 * @param loader what stands before each program, for libraries outside of the system's folders
 */
record Programs(Origin origin, Path home, List<String> loader) {
  static Programs of(Origin origin, Path home) {
    return new Programs(origin, home, List.of());
  }

  /** The command that runs {@code program}, a path below {@link #home}, with these arguments. */
  List<String> command(String program, List<String> arguments) {
    List<String> command = new ArrayList<>(loader);
    command.add(home.resolve(program).toString());
    command.addAll(arguments);
    return command;
  }
}
