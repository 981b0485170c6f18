package io.angarium.tests.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The samples of the READMEs compile as they are printed, with this generation of Spring Boot; so
 * do those of other pages that need Spring.
 */
class ReadmeSamplesTest {
  private static final Pattern SAMPLE = Pattern.compile("(?s)```java\n(.*?)```");

  private static final String IMPORTS =
      """
      import io.angarium.*;
      import io.angarium.jdbc.*;
      import io.angarium.reconciliation.*;
      import javax.sql.DataSource;
      import org.springframework.context.annotation.Bean;
      import org.springframework.context.annotation.Configuration;
      """;

  private static final String OPERATORS =
      """
      interface Operators {
        void call(String text);
      }
      """;

  @ParameterizedTest
  @ValueSource(strings = {"README.md", "README.zh-CN.md"})
  void everySampleOfAReadmeCompiles(String page, @TempDir Path folder) throws IOException {
    String text = Files.readString(Path.of("..", "..", page));
    List<String> samples = SAMPLE.matcher(text).results().map(found -> found.group(1)).toList();

    assertThat(samples).as("one for Spring, one for plain JDBC").hasSize(2);
    assertThat(samples).allSatisfy(sample -> assertThat(complaints(sample, folder)).isEmpty());
  }

  @Test
  void sampleOfReconciliationsCompiles(@TempDir Path folder) throws IOException {
    String text = Files.readString(Path.of("..", "..", "docs", "reconciliation.md"));
    String part = text.substring(text.indexOf("## With Spring Boot"), text.indexOf("## How it wo"));
    List<String> samples = SAMPLE.matcher(part).results().map(found -> found.group(1)).toList();

    assertThat(samples)
        .singleElement()
        .satisfies(
            sample -> assertThat(complaints(IMPORTS + sample + OPERATORS, folder)).isEmpty());
  }

  private static String complaints(String code, Path folder) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter complaints = new StringWriter();
    List<String> options =
        List.of("-d", folder.toString(), "-cp", System.getProperty("java.class.path"));
    compiler.getTask(complaints, null, null, options, null, List.of(new Source(code))).call();
    return complaints.toString();
  }

  /** A compilation unit in memory. */
  private static final class Source extends SimpleJavaFileObject {
    private final String code;

    Source(String code) {
      super(URI.create("string:///Sample.java"), JavaFileObject.Kind.SOURCE);
      this.code = code;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return code;
    }
  }
}
