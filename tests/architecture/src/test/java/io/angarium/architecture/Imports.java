package io.angarium.architecture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The packages that sources name, in imports and in links of Javadoc. Bytecode does not tell all of
 * it: javac copies constants, and leaves comments out.
 */
final class Imports {
  private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([\\w.]+);");
  private static final Pattern NAME =
      Pattern.compile(
          "(?m)(?:^import (?:static )?|\\{@link(?:plain)?\\s+(?:\\* )?|@see |@throws )([a-z][\\w.]*?)\\.[A-Z]");

  private Imports() {}

  /**
   * A circle of packages, each importing from the next.
   *
   * @param sources the root of the packages
   * @return the first one again as the last; empty if there is none
   */
  static List<String> circle(Path sources) throws IOException {
    SortedMap<String, SortedSet<String>> imported = new TreeMap<>();
    List<Path> files;
    try (Stream<Path> all = Files.walk(sources)) {
      files = all.filter(file -> file.toString().endsWith(".java")).sorted().toList();
    }
    for (Path file : files) {
      if (file.endsWith("package-info.java")) {
        continue; // shows the way to the packages around it
      }
      String text = Files.readString(file);
      Matcher own = PACKAGE.matcher(text);
      if (own.find()) {
        SortedSet<String> names = imported.computeIfAbsent(own.group(1), any -> new TreeSet<>());
        NAME.matcher(text).results().forEach(found -> names.add(found.group(1)));
        names.remove(own.group(1));
      }
    }
    Set<String> free = new TreeSet<>();
    for (String start : imported.keySet()) {
      List<String> circle = circle(start, imported, new ArrayList<>(), free);
      if (!circle.isEmpty()) {
        return circle;
      }
    }
    return List.of();
  }

  private static List<String> circle(
      String at, Map<String, SortedSet<String>> imported, List<String> way, Set<String> free) {
    if (way.contains(at)) {
      List<String> circle = new ArrayList<>(way.subList(way.indexOf(at), way.size()));
      circle.add(at);
      return circle;
    }
    if (free.contains(at) || !imported.containsKey(at)) {
      return List.of();
    }
    way.add(at);
    for (String next : imported.get(at)) {
      List<String> circle = circle(next, imported, way, free);
      if (!circle.isEmpty()) {
        return circle;
      }
    }
    way.remove(way.size() - 1);
    free.add(at);
    return List.of();
  }
}
