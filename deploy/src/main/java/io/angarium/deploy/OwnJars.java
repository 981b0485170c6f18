package io.angarium.deploy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Makes jars of folders with classes, the same ones of the same classes, whenever and wherever. */
final class OwnJars {
  /** The earliest time of the format. */
  private static final LocalDateTime TIME = LocalDateTime.of(1980, 1, 1, 0, 0);

  private OwnJars() {}

  /** With its folders, as Spring finds classes by them; not compressed, as the image is. */
  static void make(Path folder, Path jar) throws IOException {
    try (OutputStream out = Files.newOutputStream(jar);
        ZipOutputStream zip = new ZipOutputStream(out);
        Stream<Path> walk = Files.walk(folder)) {
      zip.setLevel(Deflater.NO_COMPRESSION);
      List<Path> files = walk.filter(each -> !each.equals(folder)).sorted().toList();
      for (Path file : files) {
        String name = folder.relativize(file).toString();
        ZipEntry entry = new ZipEntry(Files.isDirectory(file) ? name + "/" : name);
        entry.setTimeLocal(TIME);
        zip.putNextEntry(entry);
        if (!entry.isDirectory()) {
          Files.copy(file, zip);
        }
      }
    }
  }
}
