package io.angarium.architecture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What docs/guarantees.md claims, checked against the tests that it names.
 *
 * @param folder where the page is; links are relative to it
 * @param page its text
 * @param requirements the page with the numbers
 */
record GuaranteesPage(Path folder, String page, String requirements) {
  private static final Pattern GUARANTEE =
      Pattern.compile("^\\| (G\\d+) \\| ([^|]*) \\| ([^|]*) \\| ([^|]*) \\|$", Pattern.MULTILINE);
  private static final Pattern ROW = Pattern.compile("^\\| G.*$", Pattern.MULTILINE);
  private static final Pattern REQUIREMENT =
      Pattern.compile("^\\| ([A-E]\\d+) \\| [^|]+ \\| ([^|]+) \\|$", Pattern.MULTILINE);
  private static final Pattern LINK =
      Pattern.compile("\\[([A-Z]\\w*)(?:#(\\w+))?]\\(([^)]+\\.java)\\)");

  /** Texts, characters and comments, whose braces and semicolons end nothing. */
  private static final Pattern NO_CODE =
      Pattern.compile("\"(?:\\\\.|[^\"\\\\\n])*\"|'(?:\\\\.|[^'\\\\\n])'|//.*|(?s:/\\*.*?\\*/)");

  private static final Pattern IS_TEST =
      Pattern.compile("@(?:Test|ParameterizedTest|RepeatedTest)\\b");

  private static final Pattern RUNS_CONTRACT =
      Pattern.compile("\\b(?:implements \\w*Tck|extends \\w*Contract)\\b");

  /** Everything that is wrong with the page; empty if it is true. */
  List<String> faults() {
    List<String> faults = new ArrayList<>();
    Map<String, String> states = states();
    Set<String> cited = new HashSet<>();
    int number = 0;
    for (MatchResult row : GUARANTEE.matcher(page).results().toList()) {
      number++;
      check(row, number, states, cited, faults);
    }
    long rows = ROW.matcher(page).results().count();
    if (rows != number) {
      faults.add((rows - number) + " rows of guarantees do not have four cells");
    }
    LINK.matcher(page).results().forEach(link -> checkLink(link, faults));
    states.forEach((id, state) -> checkState(id, state, cited.contains(id), faults));
    return faults;
  }

  private Map<String, String> states() {
    Map<String, String> states = new HashMap<>();
    REQUIREMENT
        .matcher(requirements)
        .results()
        .forEach(row -> states.put(row.group(1), row.group(2)));
    return states;
  }

  private void check(
      MatchResult row,
      int number,
      Map<String, String> states,
      Set<String> cited,
      List<String> faults) {
    String id = row.group(1);
    if (!id.equals("G" + number)) {
      faults.add(id + " stands where G" + number + " belongs");
    }
    for (String requirement : row.group(2).split(", ", -1)) {
      cited.add(requirement);
      if (!states.containsKey(requirement)) {
        faults.add(id + " cites the requirement " + requirement + ", which does not exist");
      }
    }
    List<MatchResult> links = LINK.matcher(row.group(4)).results().toList();
    if (links.isEmpty()) {
      faults.add(id + " names no test");
    } else if (links.stream().allMatch(this::isThorough)) {
      faults.add(id + " names no test that every build runs");
    }
  }

  /** Whether only {@code -Pthorough} runs the test, or each test of the class. */
  private boolean isThorough(MatchResult link) {
    Path file = folder.resolve(link.group(3)).normalize();
    if (!Files.isRegularFile(file)) {
      return false;
    }
    String code = NO_CODE.matcher(read(file)).replaceAll("");
    Matcher type = Pattern.compile("\\bclass " + link.group(1) + "\\b").matcher(code);
    if (type.find() && sinceLastMember(code, type.start()).contains("@Thorough")) {
      return true;
    }
    Matcher method = Pattern.compile("\\bvoid " + link.group(2) + "\\s*\\(").matcher(code);
    return method.find() && sinceLastMember(code, method.start()).contains("@Thorough");
  }

  private void checkLink(MatchResult link, List<String> faults) {
    String type = link.group(1);
    Path file = folder.resolve(link.group(3)).normalize();
    if (!file.getFileName().toString().equals(type + ".java")) {
      faults.add(type + " is linked to " + file.getFileName());
    } else if (!Files.isRegularFile(file)) {
      faults.add(type + " does not exist at " + link.group(3));
    } else if (!hasTest(read(file), link.group(2))) {
      String name = link.group(2) == null ? type : type + "#" + link.group(2);
      faults.add(name + " is not a test");
    }
  }

  /** Whether a class holds the test, or any test or contract if no name is given. */
  private static boolean hasTest(String source, @Nullable String name) {
    String code = NO_CODE.matcher(source).replaceAll("");
    if (name == null) {
      return IS_TEST.matcher(code).find() || RUNS_CONTRACT.matcher(code).find();
    }
    Matcher method = Pattern.compile("\\bvoid " + name + "\\s*\\(").matcher(code);
    while (method.find()) {
      if (IS_TEST.matcher(sinceLastMember(code, method.start())).find()) {
        return true;
      }
    }
    return false;
  }

  /** The modifiers and annotations before a position. */
  private static String sinceLastMember(String code, int position) {
    int start = position;
    while (start > 0 && !endsMember(code, start - 1)) {
      start--;
    }
    return code.substring(start, position);
  }

  private static boolean endsMember(String code, int at) {
    char c = code.charAt(at);
    boolean insideAnnotation = code.substring(at + 1).stripLeading().startsWith(")");
    return c == ';' || (c == '}' && !insideAnnotation);
  }

  private static void checkState(String id, String state, boolean cited, List<String> faults) {
    if (state.equals("proved") && !cited) {
      faults.add(id + " is called proved, but no guarantee cites it");
    }
    if (state.equals("planned") && cited) {
      faults.add(id + " is called planned, but a guarantee cites it");
    }
    if (!state.equals("proved") && !state.equals("planned") && !state.startsWith("in part: ")) {
      faults.add(id + " is '" + state + "' (expected: proved, planned, or 'in part: ' and what)");
    }
  }

  static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
