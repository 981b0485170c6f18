package io.angarium.tests.spring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The first samples of pages are whole: they compile as they are printed. */
class PageSamplesTest {
  private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

  @ParameterizedTest
  @ValueSource(strings = {"docs/alerts.md", "docs/handlers.md", "docs/http.md", "docs/schema.md"})
  void firstSampleOfAPageCompiles(String page, @TempDir Path folder) throws IOException {
    assertThat(Samples.complaints(folder, List.of(Samples.of(page).get(0)))).isEmpty();
  }

  @Test
  void programOfThePageAboutWebHooksSendsItsMessageBeforeItEnds(@TempDir Path folder)
      throws Exception {
    BlockingQueue<String> received = new LinkedBlockingQueue<>();
    HttpServer hook =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    hook.createContext(
        "/",
        exchange -> {
          received.add(new String(exchange.getRequestBody().readAllBytes(), UTF_8));
          exchange.sendResponseHeaders(204, -1);
          exchange.close();
        });
    hook.start();
    try {
      Samples.complaints(folder, List.of(Samples.of("docs/http.md").get(0)));
      run(folder, "Hooks", "http://127.0.0.1:" + hook.getAddress().getPort() + "/", SECRET);
    } finally {
      hook.stop(0);
    }

    assertThat(received).containsExactly("{\"order\":1}");
  }

  private static void run(Path folder, String program, String... arguments) throws Exception {
    ClassLoader parent = PageSamplesTest.class.getClassLoader();
    try (URLClassLoader loader =
        new URLClassLoader(new URL[] {folder.toUri().toURL()}, parent)) {
      Method main = loader.loadClass(program).getDeclaredMethod("main", String[].class);
      main.setAccessible(true);
      main.invoke(null, (Object) arguments);
    }
  }
}
