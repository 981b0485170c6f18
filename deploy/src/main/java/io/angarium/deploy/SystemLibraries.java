package io.angarium.deploy;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * The libraries of the system that programs and other libraries need, with the loader, as the
 * loader of this machine finds them.
 */
final class SystemLibraries {
  private static final Pattern FOUND = Pattern.compile("(?:=> |^\\s+)(/\\S+) \\(0x[0-9a-f]+\\)");
  private static final Pattern MISSING = Pattern.compile("^\\s+(\\S+) => not found");

  /** Loaded by the C library when it looks names of hosts up; parts of it since glibc 2.34. */
  private static final List<String> NAME_SERVICES =
      List.of("libnss_files.so.2", "libnss_dns.so.2", "libresolv.so.2");

  private static final byte[] ELF = {0x7f, 'E', 'L', 'F'};
  private static final int HEADER_BYTES = 20;
  private static final int MACHINE = 18;

  private final Path runtime;
  private final Map<String, Path> found = new TreeMap<>();
  private final Set<String> missing = new TreeSet<>();

  private SystemLibraries(Path runtime) {
    this.runtime = runtime;
  }

  /**
   * Finds them.
   *
   * @param runtime a folder with a Java runtime
   * @param jars which may have native libraries for this machine; of those it finds what it can, as
   *     some are for another C library
   * @param work for what is unpacked
   * @return files by the absolute path where the loader looks for them
   */
  static Map<String, Path> of(Path runtime, List<Path> jars, Path work) throws IOException {
    SystemLibraries libraries = new SystemLibraries(runtime.toRealPath());
    List<Path> programs = libraries.programs();
    libraries.look(programs);
    // loaded by the program before, from a folder of the runtime that the loader does not know
    programs.forEach(each -> libraries.missing.remove(String.valueOf(each.getFileName())));
    if (!libraries.missing.isEmpty()) {
      throw new ImageException(
          "The Java runtime needs %s, which this machine has not: install what has it"
              .formatted(libraries.missing));
    }
    libraries.look(unpacked(jars, machine(programs.get(0)), work));
    libraries.addNameServices();
    return libraries.found;
  }

  private List<Path> programs() throws IOException {
    try (Stream<Path> files = Files.walk(runtime)) {
      List<Path> programs =
          files.filter(Files::isRegularFile).filter(each -> machine(each) >= 0).sorted().toList();
      if (programs.isEmpty()) {
        throw new ImageException(
            "An image is made on Linux, as its Java and its C library are those of the machine;"
                + " this is "
                + System.getProperty("os.name"));
      }
      return programs;
    }
  }

  /** The number of the processor that it is for; -1 if it is no program or library of Linux. */
  private static int machine(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      return machine(in.readNBytes(HEADER_BYTES));
    } catch (IOException e) {
      return -1;
    }
  }

  private static int machine(byte[] header) {
    boolean is = header.length == HEADER_BYTES;
    for (int i = 0; is && i < ELF.length; i++) {
      is = header[i] == ELF[i];
    }
    return is ? (header[MACHINE] & 0xff) | (header[MACHINE + 1] & 0xff) << 8 : -1;
  }

  private static List<Path> unpacked(List<Path> jars, int machine, Path work) throws IOException {
    List<Path> libraries = new ArrayList<>();
    for (Path jar : jars) {
      try (ZipFile zip = new ZipFile(jar.toFile())) {
        List<? extends ZipEntry> entries =
            zip.stream().filter(each -> each.getName().endsWith(".so")).toList();
        for (ZipEntry each : entries) {
          Path file = work.resolve(libraries.size() + ".so");
          Files.copy(zip.getInputStream(each), file);
          if (machine(file) == machine) {
            libraries.add(file);
          } else {
            Files.delete(file);
          }
        }
      }
    }
    return libraries;
  }

  private void look(List<Path> files) throws IOException {
    if (files.isEmpty()) {
      return;
    }
    List<String> command = new ArrayList<>(List.of("ldd"));
    files.forEach(each -> command.add(each.toString()));
    Process ldd;
    try {
      ldd = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    } catch (IOException e) {
      throw new ImageException("ldd is needed, a part of glibc, and does not start: " + e, e);
    }
    String said = new String(ldd.getInputStream().readAllBytes(), UTF_8);
    said.lines().forEach(this::take);
  }

  private void take(String line) {
    Matcher library = FOUND.matcher(line);
    if (library.find()) {
      Path path = Path.of(library.group(1)).normalize();
      if (!path.startsWith(runtime)) {
        found.put(path.toString(), path);
      }
      return;
    }
    Matcher none = MISSING.matcher(line);
    if (none.find()) {
      missing.add(none.group(1));
    }
  }

  private void addNameServices() {
    found.keySet().stream()
        .filter(each -> each.endsWith("/libc.so.6"))
        .toList()
        .forEach(
            c -> {
              for (String name : NAME_SERVICES) {
                Path file = Path.of(c).resolveSibling(name);
                if (Files.exists(file)) {
                  found.put(file.toString(), file);
                }
              }
            });
  }
}
