package io.angarium.tests.spring;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** The Java samples of a page, and what the compiler says of them. */
final class Samples {
  private static final Pattern SAMPLE = Pattern.compile("(?s)```java\n(.*?)```");

  private Samples() {}

  /**
   * The samples of a page, in their order.
   *
   * @param page below the root of the repository, e.g. {@code docs/objects.md}
   */
  static List<String> of(String page) throws IOException {
    return in(Files.readString(Path.of("..", "..", page)));
  }

  /** The samples of a part of a page, in their order. */
  static List<String> in(String text) {
    return SAMPLE.matcher(text).results().map(found -> found.group(1)).toList();
  }

  /**
   * Compiles samples together, each as a file of its own, on the class path of the tests.
   *
   * @return what the compiler complains of; empty if nothing
   */
  static String complaints(Path folder, List<String> samples) {
    List<Source> sources = new ArrayList<>();
    samples.forEach(sample -> sources.add(new Source(sources.size(), sample)));
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter complaints = new StringWriter();
    List<String> options =
        List.of("-d", folder.toString(), "-cp", System.getProperty("java.class.path"));
    compiler.getTask(complaints, null, null, options, null, sources).call();
    return complaints.toString();
  }

  /** A compilation unit in memory. */
  private static final class Source extends SimpleJavaFileObject {
    private final String code;

    Source(int number, String code) {
      super(URI.create("string:///Sample" + number + ".java"), JavaFileObject.Kind.SOURCE);
      this.code = code;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return code;
    }
  }
}
