package io.angarium.testservers;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Erlang, unpacked from the distribution's packages and made to run where it lies. Its programs
 * know {@code /usr/lib/erlang} by heart and start each other by name; so each of them is put behind
 * a script that says where it is and runs it through the package's own loader.
 */
final class RelocatedErlang {
  private static final byte[] ELF = {0x7f, 'E', 'L', 'F'};
  private static final String HOME = "usr/lib/erlang";

  private static final String PROGRAM =
      """
      #!/bin/sh
      root=${0%%/usr/lib/erlang/*}
      exec %s "$root/usr/lib/erlang/programs/%s" "$@"
      """;

  private static final String ERL =
      """
      #!/bin/sh
      ROOTDIR=${0%%/usr/lib/erlang/*}/usr/lib/erlang
      BINDIR=$ROOTDIR/%s/bin
      EMU=beam
      PROGNAME=erl
      export ROOTDIR BINDIR EMU PROGNAME
      exec "$BINDIR/erlexec" "$@"
      """;

  private RelocatedErlang() {}

  /** Changes the files below the folder into which the packages were unpacked. */
  static void relocate(Path root) {
    Path home = root.resolve(HOME);
    try {
      Path runtime = DistributionPackage.only(home, "erts-*");
      Path programs = Files.createDirectory(home.resolve("programs"));
      for (Path program : programs(runtime.resolve("bin"))) {
        String name = String.valueOf(program.getFileName());
        Files.move(program, programs.resolve(name));
        write(program, PROGRAM.formatted(loader(root), name));
      }
      write(runtime.resolve("bin/erl"), ERL.formatted(runtime.getFileName()));
      write(home.resolve("bin/erl"), ERL.formatted(runtime.getFileName()));
    } catch (IOException e) {
      throw new ServerUnavailableException("Cannot relocate " + home, e);
    }
  }

  private static List<Path> programs(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(Files::isRegularFile).filter(RelocatedErlang::isProgram).toList();
    }
  }

  private static boolean isProgram(Path file) {
    try (InputStream content = Files.newInputStream(file)) {
      return Arrays.equals(content.readNBytes(ELF.length), ELF);
    } catch (IOException e) {
      throw new ServerUnavailableException("Cannot read " + file, e);
    }
  }

  /** The loader as words of a script; the folder that is filled now is moved afterwards. */
  private static String loader(Path root) {
    return DistributionPackage.loader(root).stream()
        .map(word -> "\"" + word.replace(root.toString(), "$root") + "\"")
        .collect(Collectors.joining(" "));
  }

  private static void write(Path file, String script) throws IOException {
    Files.writeString(file, script);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
