package io.angarium.testservers;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * One way to get the programs of a server.
 *
 * @param find finds them, or throws {@link ServerUnavailableException} with the reason why not
 */
record ProgramSource(Origin origin, Supplier<Programs> find) {
  private static final Map<String, Object> ANSWERS = new ConcurrentHashMap<>();

  /**
   * The programs from the first source that has them. Each source is asked once per JVM, since some
   * take long to say no.
   *
   * @throws ServerUnavailableException with the reasons of all sources when none has them
   */
  static Programs first(Server server, List<ProgramSource> sources, Set<Origin> allowed) {
    List<String> reasons = new ArrayList<>();
    for (ProgramSource source : sources) {
      if (!allowed.contains(source.origin())) {
        continue;
      }
      Object answer = ANSWERS.computeIfAbsent(server + " " + source.origin(), key -> source.ask());
      if (answer instanceof Programs programs) {
        return programs;
      }
      reasons.add(source.origin() + ": " + answer);
    }
    throw new ServerUnavailableException(
        "%s cannot be had here (origins allowed: %s; or name a running one in %s):%n  %s"
            .formatted(server.title(), allowed, server.variable(), String.join("\n  ", reasons)));
  }

  private Object ask() {
    try {
      return find.get();
    } catch (ServerUnavailableException e) {
      return String.valueOf(e.getMessage());
    }
  }
}
