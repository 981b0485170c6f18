package io.angarium.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.objectweb.asm.ClassReader;

/** Finds SQL in the string constants of class files. */
final class SqlTexts {
  /** Upper case as our SQL is written, so that a sentence that begins with "Select" is none. */
  private static final Pattern STATEMENT =
      Pattern.compile(
          "\\s*(SELECT|INSERT|UPDATE|DELETE|MERGE|WITH|CREATE|ALTER|DROP|TRUNCATE|LOCK|SET)\\s.*",
          Pattern.DOTALL);

  /** A dialect, or the slice of one, such as {@code LeaseSql}; with the classes in it. */
  private static final Pattern DIALECT = Pattern.compile(".*\\w(Dialect|Sql)(\\$.*)?");

  private static final int STRING_TAG = 8;

  private SqlTexts() {}

  static ArchCondition<JavaClass> standInDialects() {
    return new ArchCondition<>("hold SQL only if they are a dialect or the slice of one") {
      @Override
      public void check(JavaClass item, ConditionEvents events) {
        List<String> statements = isDialect(item) ? List.of() : statements(item);
        statements.forEach(
            sql -> events.add(SimpleConditionEvent.violated(item, item.getName() + ": " + sql)));
      }
    };
  }

  private static boolean isDialect(JavaClass item) {
    return DIALECT.matcher(item.getName()).matches();
  }

  private static List<String> statements(JavaClass item) {
    URI uri = item.getSource().orElseThrow().getUri();
    try (InputStream in = uri.toURL().openStream()) {
      return strings(new ClassReader(in)).stream()
          .filter(text -> STATEMENT.matcher(text).matches())
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read " + uri, e);
    }
  }

  private static List<String> strings(ClassReader reader) {
    List<String> strings = new ArrayList<>();
    char[] buffer = new char[reader.getMaxStringLength()];
    for (int item = 1; item < reader.getItemCount(); item++) {
      int offset = reader.getItem(item);
      // The second half of a long or a double has no entry of its own.
      if (offset > 0 && reader.readByte(offset - 1) == STRING_TAG) {
        strings.add(reader.readUTF8(offset, buffer));
      }
    }
    return strings;
  }
}
