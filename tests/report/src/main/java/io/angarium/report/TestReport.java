package io.angarium.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * What Surefire wrote about one test class.
 *
 * @param tests how many tests there were, skipped ones included
 * @param failures how many failed
 * @param errors how many broke
 * @param skipped those that did not run
 */
record TestReport(int tests, int failures, int errors, List<SkippedTest> skipped) {
  /** Reports lie in {@code target/surefire-reports} of modules at most two folders down. */
  private static final int DEPTH_MAX = 5;

  /**
   * The reports in a project and its modules that were written since a build began. They do not
   * name their build: Surefire leaves the system properties out when it skips a whole class.
   */
  static List<TestReport> readAll(Path root, Instant since) {
    try (Stream<Path> files =
        Files.find(
            root,
            DEPTH_MAX,
            (file, attributes) ->
                isReport(file) && !attributes.lastModifiedTime().toInstant().isBefore(since))) {
      return files.sorted().map(TestReport::read).toList();
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read the test reports below " + root, e);
    }
  }

  private static boolean isReport(Path file) {
    String folder = Path.of("target", "surefire-reports", "TEST-").toString();
    return file.toString().contains(folder) && file.toString().endsWith(".xml");
  }

  private static TestReport read(Path file) {
    try {
      Element suite =
          DocumentBuilderFactory.newInstance()
              .newDocumentBuilder()
              .parse(file.toFile())
              .getDocumentElement();
      return new TestReport(
          Integer.parseInt(suite.getAttribute("tests")),
          Integer.parseInt(suite.getAttribute("failures")),
          Integer.parseInt(suite.getAttribute("errors")),
          skippedTests(suite));
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read " + file, e);
    } catch (SAXException | ParserConfigurationException e) {
      throw new IllegalStateException(file + " is no test report", e);
    }
  }

  private static List<SkippedTest> skippedTests(Element suite) {
    return elements(suite, "testcase").stream()
        .flatMap(
            test ->
                elements(test, "skipped").stream()
                    .map(skipped -> new SkippedTest(name(test), skipped.getAttribute("message"))))
        .toList();
  }

  private static String name(Element test) {
    return test.getAttribute("classname") + "." + test.getAttribute("name");
  }

  private static List<Element> elements(Element parent, String tag) {
    NodeList nodes = parent.getElementsByTagName(tag);
    List<Element> elements = new ArrayList<>();
    for (int i = 0; i < nodes.getLength(); i++) {
      elements.add((Element) nodes.item(i));
    }
    return elements;
  }
}
