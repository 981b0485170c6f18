package io.angarium.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.jar.JarFile;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * {@link UpgradeNode} as a user of an earlier version has it: compiled with that version's jars.
 * Types that have moved since are imported from where they were.
 */
final class EarlierNode {
  private static final Path SOURCES = Path.of("src/main/java/io/angarium/crash");
  private static final List<String> PARTS = List.of("UpgradeNode.java", "TableTransport.java");
  private static final Pattern IMPORT = Pattern.compile("(?m)^import (io\\.angarium\\.[\\w.]+);$");
  private static final Pattern OURS = Pattern.compile(".*[/\\\\]angarium-(core|jdbc)[/\\\\].*");

  private EarlierNode() {}

  /**
   * Compiles it.
   *
   * @param jars of the earlier version
   * @param folder a new one, for the classes
   * @param classPath of the present version
   * @return the class path to run it with
   */
  static String compile(List<Path> jars, Path folder, String classPath) throws IOException {
    List<String> entries = new ArrayList<>();
    jars.forEach(jar -> entries.add(jar.toAbsolutePath().toString()));
    Arrays.stream(classPath.split(File.pathSeparator))
        .filter(entry -> !OURS.matcher(entry).matches())
        .forEach(entries::add);
    String earlier = String.join(File.pathSeparator, entries);

    List<String> types = types(jars);
    List<File> sources = new ArrayList<>();
    for (String part : PARTS) {
      Path source = folder.resolve(part);
      Files.writeString(source, withEarlierImports(Files.readString(SOURCES.resolve(part)), types));
      sources.add(source.toFile());
    }
    List<String> options =
        List.of("-cp", earlier, "-proc:none", "-nowarn", "-d", folder.toString());
    StringWriter output = new StringWriter();
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    boolean compiled;
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      compiled =
          compiler
              .getTask(
                  output, files, null, options, null, files.getJavaFileObjectsFromFiles(sources))
              .call();
    }
    assertThat(compiled).as("%s", output).isTrue();
    return folder + File.pathSeparator + earlier;
  }

  private static String withEarlierImports(String source, List<String> types) {
    return IMPORT
        .matcher(source)
        .replaceAll((MatchResult found) -> "import " + earlier(found.group(1), types) + ";");
  }

  private static String earlier(String type, List<String> types) {
    if (types.contains(type)) {
      return type;
    }
    String name = type.substring(type.lastIndexOf('.'));
    List<String> named = types.stream().filter(each -> each.endsWith(name)).toList();
    assertThat(named).as("%s in the earlier version", type).hasSize(1);
    return named.get(0);
  }

  private static List<String> types(List<Path> jars) throws IOException {
    List<String> types = new ArrayList<>();
    for (Path jar : jars) {
      try (JarFile file = new JarFile(jar.toFile())) {
        file.stream()
            .map(entry -> entry.getName().replace('/', '.'))
            .filter(name -> name.endsWith(".class") && !name.contains("$"))
            .map(name -> name.substring(0, name.length() - ".class".length()))
            .forEach(types::add);
      }
    }
    return types;
  }
}
