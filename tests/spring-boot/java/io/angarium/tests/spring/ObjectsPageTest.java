package io.angarium.tests.spring;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The samples of docs/objects.md compile together, each with the imports that it shows. */
class ObjectsPageTest {
  private static final Pattern SAMPLE = Pattern.compile("(?s)```java\n(.*?)```");

  @Test
  void everySampleCompiles(@TempDir Path folder) throws IOException {
    String page = Files.readString(Path.of("..", "..", "docs", "objects.md"));
    List<String> samples = SAMPLE.matcher(page).results().map(found -> found.group(1)).toList();

    assertThat(samples).hasSize(7);
    assertThat(complaints(samples, folder)).isEmpty();
  }

  @Test
  void sampleThatDoesNotCompileIsFound(@TempDir Path folder) {
    assertThat(complaints(List.of("class A { Missing b; }"), folder)).contains("Missing");
  }

  private static String complaints(List<String> samples, Path folder) {
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
