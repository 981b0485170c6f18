package io.angarium.handler;

import static io.angarium.handler.HandlerScene.writing;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** A misspelt name of a handler is logged at the first attempt, not when the last one failed. */
@ResourceLock(Resources.SYSTEM_ERR)
class UnknownHandlerLogTest {
  private static final int NAMES_LOGGED_MAX = 100;

  private final ByteArrayOutputStream log = new ByteArrayOutputStream();
  private final PrintStream before = System.err;

  @BeforeEach
  void readTheLog() {
    System.setErr(new PrintStream(log, true, UTF_8));
  }

  @AfterEach
  void leaveTheLog() {
    System.setErr(before);
  }

  @Test
  void firstMessageOfANameIsLoggedWithTheNamesThatThereAre() throws Exception {
    try (HandlerScene scene = HandlerScene.of(writing("stock"), writing("orders"))) {
      scene.deliver(scene.message("order", "a"));
      scene.deliver(scene.message("order", "b"));
      scene.deliver(scene.message("stok", "c"));
      scene.deliver(scene.message("orders", "d"));
    }

    assertThat(warnings())
        .hasSize(2)
        .allMatch(line -> line.contains("it has [orders, stock]"))
        .anyMatch(line -> line.contains("has no handler 'order' "))
        .anyMatch(line -> line.contains("has no handler 'stok' "));
  }

  @Test
  void namesThatGrowWithoutEndDoNotFillTheLog() throws Exception {
    try (HandlerScene scene = HandlerScene.of(writing("stock"))) {
      for (int i = 0; i < NAMES_LOGGED_MAX + 20; i++) {
        scene.deliver(scene.message("order-" + i, "a"));
      }
    }

    assertThat(warnings()).hasSize(NAMES_LOGGED_MAX);
  }

  private List<String> warnings() {
    return log.toString(UTF_8).lines().filter(line -> line.contains("WARN")).toList();
  }
}
