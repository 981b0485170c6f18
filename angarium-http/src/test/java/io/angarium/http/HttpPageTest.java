package io.angarium.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.angarium.http.signature.HttpSignature;
import io.angarium.intake.StoredMessage;
import io.angarium.transport.SendResult;
import io.angarium.transport.SendResult.Refused;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Keeps docs/http.md true: its receiver compiles and does what the page says. */
class HttpPageTest {
  private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  private static final Path SAMPLE = Path.of("src/test/java/io/angarium/http/Receiver.java");

  private final AtomicInteger processed = new AtomicInteger();
  private final Set<String> seen = ConcurrentHashMap.newKeySet();
  private final AtomicInteger failures = new AtomicInteger();
  private HttpServer server;

  @BeforeEach
  void startReceiver() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    HttpSignature signature = HttpSignature.of(List.of(SECRET));
    server.createContext("/", new Receiver(signature, this::processOnce));
    server.start();
  }

  /** As a transaction would: without the work no id is noted. */
  private void processOnce(String id, byte[] body) {
    if (!seen.contains(id)) {
      if (failures.getAndDecrement() > 0) {
        throw new IllegalStateException("the work fails");
      }
      seen.add(id);
      processed.incrementAndGet();
    }
  }

  @AfterEach
  void stopReceiver() {
    server.stop(0);
  }

  private HttpHook hook() {
    return HttpHook.of("orders", "http://127.0.0.1:" + server.getAddress().getPort() + "/");
  }

  @Test
  void receiverOfThePageIsCompiled() throws IOException {
    String page = Files.readString(Path.of("..", "docs", "http.md"));
    String source = Files.readString(SAMPLE);

    List<String> blocks =
        Pattern.compile("(?s)```java\n(.*?)```")
            .matcher(page)
            .results()
            .map(found -> found.group(1))
            .toList();

    assertThat(blocks).hasSize(2);
    assertThat(onOneLine(source))
        .contains(onOneLine(blocks.get(1).replaceAll("(?m)^import .*\n+", "")));
  }

  @Test
  void receiverOfThePageTakesEachGenuineMessageOnce() {
    HttpConfig config = HttpConfig.of(hook().secrets(List.of(SECRET)));
    StoredMessage message = Messages.to("orders");
    try (HttpTransport transport = HttpTransport.open(config)) {
      assertThat(Messages.result(transport, message)).isEqualTo(SendResult.ACKNOWLEDGED);
      assertThat(Messages.result(transport, message)).isEqualTo(SendResult.ACKNOWLEDGED);
    }

    assertThat(processed).hasValue(1);
  }

  /**
   * The client asks anew by itself if a new connection ends without a byte, else the relay does.
   */
  @Test
  void whatTheReceiverOfThePageFailsToProcessComesAgain() {
    failures.set(3);
    HttpConfig config = HttpConfig.of(hook().secrets(List.of(SECRET)));
    StoredMessage message = Messages.to("orders");
    try (HttpTransport transport = HttpTransport.open(config)) {
      assertThat(Messages.result(transport, message)).isNotEqualTo(SendResult.ACKNOWLEDGED);
      assertThat(processed).hasValue(0);

      failures.set(0);
      assertThat(Messages.result(transport, message)).isEqualTo(SendResult.ACKNOWLEDGED);
    }

    assertThat(processed).hasValue(1);
  }

  @Test
  void receiverOfThePageTakesNothingFromOthers() {
    try (HttpTransport transport = HttpTransport.open(HttpConfig.of(hook()))) {
      assertThat(Messages.result(transport, Messages.to("orders"))).isInstanceOf(Refused.class);
    }

    assertThat(processed).hasValue(0);
  }

  private static String onOneLine(String code) {
    return code.replaceAll("\\s+", "");
  }
}
