package io.angarium.server.start;

import java.io.PrintStream;
import java.util.stream.Stream;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalysisReporter;

/** Tells in a few lines on standard error why the server does not start, and what to do. */
public final class StartReport implements FailureAnalysisReporter {
  private static final PrintStream ERR = System.err;

  /** Creates it; Spring Boot does. */
  public StartReport() {}

  @Override
  public void report(FailureAnalysis analysis) {
    String action = analysis.getAction();
    String text =
        "The server cannot start. "
            + analysis.getDescription()
            + (action == null ? "" : "\n" + action);
    // paragraphs of the description are one line here
    Stream.of(text.replaceAll("\n\\s*\n\\s*", " ").split("\n"))
        .map(CleanText::line)
        .forEach(ERR::println);
  }
}
