package io.angarium.micrometer;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The metrics and labels that an expression in the language of Prometheus names. Immutable.
 *
 * @param selectors each metric with the labels that it is chosen by
 * @param groups the labels that results are grouped by
 */
record PromExpression(List<Selector> selectors, Set<String> groups) {
  /** A metric, and the labels in its braces. */
  record Selector(String metric, Set<String> labels) {}

  private static final Pattern TOKEN =
      Pattern.compile(
          """
          \\s+|"(?:[^"\\\\]|\\\\.)*"|\\$\\w+|[a-zA-Z_:][\\w:]*\
          |[0-9.]+(?:ms|[smhdwy])?|=~|!~|!=|==|>=|<=|[-+*/%^<>=(){}\\[\\],:]""");
  private static final Set<String> GROUPINGS =
      Set.of("by", "without", "on", "ignoring", "group_left", "group_right");
  private static final Set<String> WORDS = Set.of("and", "or", "unless", "offset", "bool");
  private static final Set<String> FUNCTIONS =
      Set.of(
          "sum",
          "max",
          "min",
          "avg",
          "count",
          "rate",
          "increase",
          "absent",
          "histogram_quantile",
          "min_over_time",
          "max_over_time");

  /**
   * Takes an expression apart.
   *
   * @throws IllegalArgumentException if it is none
   */
  static PromExpression parse(String text) {
    return new Reader(tokens(text), text).read();
  }

  private static Deque<String> tokens(String text) {
    Deque<String> tokens = new ArrayDeque<>();
    Matcher matcher = TOKEN.matcher(text);
    int at = 0;
    while (at < text.length()) {
      if (!matcher.find(at) || matcher.start() != at) {
        throw new IllegalArgumentException(
            "no token at '" + text.substring(at) + "' of '" + text + "'");
      }
      at = matcher.end();
      if (!matcher.group().isBlank()) {
        tokens.add(matcher.group());
      }
    }
    return tokens;
  }

  /** Reads the tokens of one expression. */
  private static final class Reader {
    private final Deque<String> tokens;
    private final String text;
    private final List<Selector> selectors = new ArrayList<>();
    private final Set<String> groups = new HashSet<>();
    private final Deque<String> open = new ArrayDeque<>();

    Reader(Deque<String> tokens, String text) {
      this.tokens = tokens;
      this.text = text;
    }

    PromExpression read() {
      while (!tokens.isEmpty()) {
        next(tokens.remove());
      }
      check(open.isEmpty(), "open: " + open);
      check(!selectors.isEmpty(), "it names no metric");
      return new PromExpression(List.copyOf(selectors), Set.copyOf(groups));
    }

    private void next(String token) {
      if (token.equals("(") || token.equals("[")) {
        open.push(token);
      } else if (token.equals(")") || token.equals("]")) {
        check(!open.isEmpty() && pair(open.pop(), token), "closed: " + token);
      } else if (GROUPINGS.contains(token)) {
        groups.addAll(labels("(", ")"));
      } else if (Character.isLetter(token.charAt(0)) && !WORDS.contains(token)) {
        name(token);
      }
    }

    private void name(String token) {
      if ("(".equals(tokens.peek()) || GROUPINGS.contains(String.valueOf(tokens.peek()))) {
        check(FUNCTIONS.contains(token), "no function known: " + token);
      } else {
        boolean chosen = "{".equals(tokens.peek());
        selectors.add(new Selector(token, chosen ? Set.copyOf(labels("{", "}")) : Set.of()));
      }
    }

    /** Names in brackets, whatever stands behind an operator. */
    private Set<String> labels(String first, String last) {
      check(first.equals(tokens.poll()), "no " + first);
      Set<String> labels = new HashSet<>();
      for (String token = tokens.poll(); !last.equals(token); token = tokens.poll()) {
        check(token != null, "no " + last);
        if (Character.isLetter(String.valueOf(token).charAt(0))) {
          labels.add(String.valueOf(token));
        }
      }
      return labels;
    }

    private static boolean pair(String opened, String closed) {
      return (opened + closed).equals("()") || (opened + closed).equals("[]");
    }

    private void check(boolean good, String fault) {
      if (!good) {
        throw new IllegalArgumentException(fault + " in '" + text + "'");
      }
    }
  }
}
