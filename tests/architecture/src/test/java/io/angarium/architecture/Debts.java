package io.angarium.architecture;

import java.io.IOException;
import java.io.UncheckedIOException;
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
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What is larger than it should be, counted in sources: packages with too many files, long classes,
 * names that two modules use, a module with too many public types, and what reads as translated.
 */
final class Debts {
  static final int FILES_MAX = 25;
  static final int LINES_MAX = 400;

  /** A dialect, or a slice of one, has one text for each statement. */
  static final int DIALECT_LINES_MAX = 700;

  /** So that not each line more or less of a long class is a change of the list. */
  private static final int LINES_STEP = 50;

  static final int PUBLIC_TYPES_MAX = 60;

  /** Of a package with a budget of its own. */
  static final int PACKAGE_TYPES_MAX = 40;

  private static final Set<String> WITH_BUDGETS =
      Set.of("io.angarium.desk", "io.angarium.alert", "io.angarium.board");

  private static final Pattern DIALECT = Pattern.compile(".*\\w(Dialect|Sql)");
  private static final Pattern PUBLIC_TYPE =
      Pattern.compile(
          "(?m)^public (abstract |sealed |non-sealed |final )*(class|interface|record|enum|@interface) ");

  /** Nobody counts what is no part of the product's own structure. */
  private static final Pattern EXEMPT = Pattern.compile("package-info|.*Tck");

  private final SortedMap<String, Integer> filesByPackage = new TreeMap<>();
  private final SortedMap<String, Integer> linesByClass = new TreeMap<>();
  private final SortedMap<String, SortedSet<String>> modulesByName = new TreeMap<>();
  private final SortedMap<String, Integer> publicTypesByModule = new TreeMap<>();
  private final SortedMap<String, Words> wordsByModule = new TreeMap<>();

  /**
   * Counts.
   *
   * @param sources folders of main sources, by module
   * @param bounded the module whose public types are counted
   * @return one line for each debt, sorted
   */
  static List<String> of(Map<String, Path> sources, String bounded) {
    Debts debts = new Debts();
    sources.forEach(debts::add);
    List<String> lines = new ArrayList<>();
    debts.filesByPackage.forEach(
        (name, files) -> {
          if (files > FILES_MAX) {
            lines.add("files %s %d".formatted(name, files));
          }
        });
    debts.linesByClass.forEach(
        (name, count) -> {
          boolean dialect = DIALECT.matcher(name).matches();
          if (count > (dialect ? DIALECT_LINES_MAX : LINES_MAX)) {
            int atMost = (count + LINES_STEP - 1) / LINES_STEP * LINES_STEP;
            lines.add("lines %s <= %d".formatted(name, atMost));
          }
        });
    debts.modulesByName.forEach(
        (name, modules) -> {
          if (modules.size() > 1) {
            lines.add("name %s %s".formatted(name, String.join(" ", modules)));
          }
        });
    int types = debts.publicTypesByModule.getOrDefault(bounded, 0);
    if (types > PUBLIC_TYPES_MAX) {
      lines.add("types %s %d".formatted(bounded, types));
    }
    for (String place : WITH_BUDGETS) {
      int ofPackage = debts.publicTypesByModule.getOrDefault(place, 0);
      if (ofPackage > PACKAGE_TYPES_MAX) {
        lines.add("types %s %d".formatted(place, ofPackage));
      }
    }
    debts.wordsByModule.forEach(
        (module, words) ->
            words
                .counts()
                .forEach((kind, count) -> lines.add("%s %s %d".formatted(kind, module, count))));
    return lines;
  }

  private void add(String module, Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
        String name = file.getFileName().toString();
        if (name.endsWith(".java")) {
          add(module, folder.relativize(file), Files.readString(file));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void add(String module, Path file, String text) {
    wordsByModule.computeIfAbsent(module, each -> new Words()).add(text);
    String simple = file.getFileName().toString().replace(".java", "");
    if (EXEMPT.matcher(simple).matches()) {
      return;
    }
    String place = String.valueOf(file.getParent()).replace('/', '.').replace('\\', '.');
    filesByPackage.merge(module + " " + place, 1, Integer::sum);
    linesByClass.put(module + " " + place + "." + simple, (int) text.lines().count());
    modulesByName.computeIfAbsent(simple, each -> new TreeSet<>()).add(module);
    boolean internal = (place + ".").contains(".internal.");
    if (!internal && PUBLIC_TYPE.matcher(text).find()) {
      publicTypesByModule.merge(WITH_BUDGETS.contains(place) ? place : module, 1, Integer::sum);
    }
  }
}
