import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/**
 * Makes a jar of Spring Boot smaller, in its place: packs the libraries in it again, as tightly as
 * Deflate can, and leaves out what is named here. The build runs it as a source.
 */
final class SlimJar {
  private static final String LIBRARIES = "BOOT-INF/lib/";

  /**
   * Files that the server does not need, keyed by the beginning of the library's name: native code
   * for unsupported platforms, gRPC services that the server does not offer, MySQL's X protocol,
   * which JDBC does not speak, and what Kafka's protocol was generated from.
   */
  private static final Map<String, Pattern> LEFT_OUT =
      Map.of(
          "snappy-java-",
          Pattern.compile(
              "org/xerial/snappy/native/"
                  + "(?!(Linux/(x86_64|aarch64)|Mac/(x86_64|aarch64)|Windows/x86_64)/).*/.+"),
          "lz4-java-",
          Pattern.compile(
              "net/jpountz/util/(linux|darwin|windows)/(?!(amd64|x86_64|aarch64)/).*/.+"),
          "grpc-services-",
          Pattern.compile("(io/)?grpc/(channelz|binarylog|binlog|reflection/v1alpha)/.+"),
          "mysql-connector-j-",
          Pattern.compile("com/mysql/cj/x/protobuf/.+"),
          "kafka-clients-",
          Pattern.compile("common/message/.+\\.json"));

  private SlimJar() {}

  /**
   * Fails if a jar is larger than allowed then.
   *
   * @param args the jar, and how many bytes it may have
   */
  public static void main(String[] args) throws IOException {
    long bytes = slim(Path.of(args[0]));
    if (bytes > Long.parseLong(args[1])) {
      throw new IllegalStateException(
          "%s: %d bytes (expected: at most %s); leave out what no server needs, or move it to the full jar"
              .formatted(args[0], bytes, args[1]));
    }
  }

  private static long slim(Path jar) throws IOException {
    Path made = jar.resolveSibling(jar.getFileName() + ".slim");
    try (InputStream in = Files.newInputStream(jar);
        OutputStream out = Files.newOutputStream(made)) {
      copy(in, out, "");
    }
    long bytes = Files.size(made);
    System.out.println(jar + ": " + bytes + " bytes, before " + Files.size(jar));
    Files.move(made, jar, StandardCopyOption.REPLACE_EXISTING);
    return bytes;
  }

  /** Copies the entries of a jar in their order. */
  private static void copy(InputStream from, OutputStream to, String library) throws IOException {
    ZipInputStream in = new ZipInputStream(from);
    ZipOutputStream out = new ZipOutputStream(to);
    out.setLevel(Deflater.BEST_COMPRESSION);
    for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
      if (isLeftOut(library, entry.getName())) {
        continue;
      }
      byte[] content = in.readAllBytes();
      if (library.isEmpty() && isLibrary(entry.getName())) {
        content = slimmed(content, entry.getName().substring(LIBRARIES.length()));
      }
      out.putNextEntry(entry(entry, content, library.isEmpty()));
      out.write(content);
      out.closeEntry();
    }
    out.finish();
  }

  private static boolean isLibrary(String name) {
    return name.startsWith(LIBRARIES) && name.endsWith(".jar");
  }

  private static boolean isLeftOut(String library, String name) {
    return LEFT_OUT.entrySet().stream()
        .anyMatch(
            each -> library.startsWith(each.getKey()) && each.getValue().matcher(name).matches());
  }

  private static byte[] slimmed(byte[] content, String library) throws IOException {
    ByteArrayOutputStream made = new ByteArrayOutputStream(content.length);
    copy(new ByteArrayInputStream(content), made, library);
    return made.toByteArray();
  }

  /**
   * Libraries are stored, as they are read in their place. Sizes are there before the content: else
   * they would follow each entry, too.
   */
  private static ZipEntry entry(ZipEntry given, byte[] content, boolean outer) {
    ZipEntry entry = new ZipEntry(given.getName());
    entry.setTime(given.getTime());
    boolean stored = content.length == 0 || (outer && isLibrary(given.getName()));
    CRC32 crc = new CRC32();
    crc.update(content);
    entry.setMethod(stored ? ZipEntry.STORED : ZipEntry.DEFLATED);
    entry.setCrc(crc.getValue());
    entry.setSize(content.length);
    entry.setCompressedSize(stored ? content.length : deflated(content));
    return entry;
  }

  private static long deflated(byte[] content) {
    Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION, true);
    try {
      deflater.setInput(content);
      deflater.finish();
      byte[] part = new byte[1 << 16];
      while (!deflater.finished()) {
        deflater.deflate(part);
      }
      return deflater.getBytesWritten();
    } finally {
      deflater.end();
    }
  }
}
