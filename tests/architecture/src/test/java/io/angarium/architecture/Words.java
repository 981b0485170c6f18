package io.angarium.architecture;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Counts what reads as translated in the comments of a source: phrasings, fragments, sentences. */
final class Words {
  static final int SENTENCE_WORDS_MAX = 40;

  private static final Pattern TOKEN =
      Pattern.compile(
          "\"\"\".*?\"\"\"|\"(?:\\\\.|[^\"\\\\\n])*\"|'(?:\\\\.|[^'\\\\])+'"
              + "|(?<comment>/\\*.*?\\*/|//[^\n]*(?:\n\\s*//[^\n]*)*)",
          Pattern.DOTALL);

  private static final Pattern STILTED =
      Pattern.compile(
          "\\b(?:is|are) told of\\b|\\bmay nothing\\b|\\bof which\\b|\\bthose of\\b|\\bwhoever\\b"
              + "|\\bwhat comes beyond\\b|\\bby hand\\b|(?:^|[.;] )likewise[.,;]",
          Pattern.CASE_INSENSITIVE);

  /** What no summary begins with. */
  private static final Pattern FRAGMENT = Pattern.compile("(?:Of|As|Likewise|Those|Beside)\\b.*");

  private static final Pattern INLINE_TAG = Pattern.compile("\\{@\\w+\\s+([^}]*)}");
  private static final Pattern PARAGRAPH = Pattern.compile("<p>|<li>|<ul>|\\s@(?=\\w)|\n\\s*\n");
  private static final Pattern WORD = Pattern.compile("\\S+");
  private static final Pattern SENTENCE_END = Pattern.compile("(?<=[.!?:])\\s+");

  private final Map<String, Integer> counts = new TreeMap<>();

  /** How often each of the three kinds was found. */
  Map<String, Integer> counts() {
    return counts;
  }

  /** Adds a source in Java. */
  void add(String source) {
    for (Comment comment : comments(source)) {
      String text = comment.text();
      count("phrasings", STILTED.matcher(text.strip().replaceAll("\\s+", " ")).results().count());
      if (comment.javadoc() && FRAGMENT.matcher(text.strip()).lookingAt()) {
        count("fragments", 1);
      }
      long tooLong =
          PARAGRAPH
              .splitAsStream(text)
              .flatMap(paragraph -> SENTENCE_END.splitAsStream(paragraph.strip()))
              .filter(sentence -> WORD.matcher(sentence).results().count() > SENTENCE_WORDS_MAX)
              .count();
      count("sentences", tooLong);
    }
  }

  private void count(String kind, long more) {
    if (more > 0) {
      counts.merge(kind, (int) more, Integer::sum);
    }
  }

  private record Comment(String text, boolean javadoc) {}

  private static List<Comment> comments(String source) {
    List<Comment> comments = new ArrayList<>();
    Matcher tokens = TOKEN.matcher(source);
    while (tokens.find()) {
      String comment = tokens.group("comment");
      if (comment != null) {
        String text =
            comment
                .replaceAll("(?m)^\\s*(?://+|/\\*+|\\*/|\\*)|\\*/\\s*$|//+", " ")
                .replaceAll("(?m)^ +", "");
        comments.add(
            new Comment(
                INLINE_TAG.matcher(text).replaceAll(found -> "it"), comment.startsWith("/**")));
      }
    }
    return comments;
  }
}
