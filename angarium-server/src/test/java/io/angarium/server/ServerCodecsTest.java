package io.angarium.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The codecs of Kafka on the class path that the server is started with, not on that of tests. */
class ServerCodecsTest {
  @ParameterizedTest
  @ValueSource(strings = {"gzip", "snappy", "lz4", "zstd"})
  void everyCodecOfKafkaWorksBothWaysInTheShippedServer(String codec) throws Exception {
    List<URL> shipped = new ArrayList<>();
    for (String entry : Files.readString(Path.of("target/class-path.txt")).strip().split(":", -1)) {
      shipped.add(Path.of(entry).toUri().toURL());
    }
    try (URLClassLoader loader =
        new URLClassLoader(shipped.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
      Class<?> types = loader.loadClass("org.apache.kafka.common.record.CompressionType");
      Class<?> suppliers = loader.loadClass("org.apache.kafka.common.utils.BufferSupplier");
      Class<?> buffers = loader.loadClass("org.apache.kafka.common.utils.ByteBufferOutputStream");
      Class<?> compressions = loader.loadClass("org.apache.kafka.common.compress.Compression");
      Object type = types.getMethod("forName", String.class).invoke(null, codec);
      Object builder = compressions.getMethod("of", types).invoke(null, type);
      Object compression =
          loader
              .loadClass("org.apache.kafka.common.compress.Compression$Builder")
              .getMethod("build")
              .invoke(builder);
      Object buffer = buffers.getConstructor(int.class).newInstance(4_096);

      try (OutputStream out =
          (OutputStream)
              compressions
                  .getMethod("wrapForOutput", buffers, byte.class)
                  .invoke(compression, buffer, (byte) 2)) {
        out.write("paid".repeat(100).getBytes(UTF_8));
      }
      ByteBuffer written = (ByteBuffer) buffers.getMethod("buffer").invoke(buffer);
      written.flip();
      try (InputStream in =
          (InputStream)
              compressions
                  .getMethod("wrapForInput", ByteBuffer.class, byte.class, suppliers)
                  .invoke(
                      compression, written, (byte) 2, suppliers.getField("NO_CACHING").get(null))) {
        assertThat(new String(in.readAllBytes(), UTF_8)).isEqualTo("paid".repeat(100));
      }
    }
  }
}
