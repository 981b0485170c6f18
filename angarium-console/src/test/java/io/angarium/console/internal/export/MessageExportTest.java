package io.angarium.console.internal.export;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.MessageId;
import io.angarium.StoreException;
import io.angarium.console.internal.export.MessageExport.Format;
import io.angarium.console.internal.export.MessageExport.Pages;
import io.angarium.console.internal.problem.Problem;
import io.angarium.desk.MessagePage;
import io.angarium.desk.MessageQuery;
import io.angarium.desk.MessageRow;
import io.angarium.desk.Scanned;
import io.angarium.desk.Stage;
import io.angarium.intake.Position;
import io.angarium.testkit.ManualClock;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MessageExportTest {
  private static final Instant NOW = Instant.parse("2026-11-26T12:00:00Z");
  private static final int PAGE = MessageQuery.LIMIT_MAX;

  private final ManualClock clock = new ManualClock(NOW);
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  private static MessageRow row(int number, @Nullable String key, @Nullable String error) {
    return new MessageRow(
        Stage.DEAD,
        new Position(-5, number),
        new MessageId(new UUID(1, number)),
        "kafka:orders",
        key,
        null,
        null,
        null,
        "shop",
        null,
        7,
        1,
        NOW,
        NOW,
        null,
        error,
        false);
  }

  private static MessagePage page(List<MessageRow> rows, @Nullable String next) {
    return new MessagePage(rows, next, new Scanned(1_000, NOW, true), NOW);
  }

  private static MessagePage page(int number, @Nullable String next) {
    return page(
        IntStream.range(0, PAGE).mapToObj(i -> row(number * PAGE + i, "k", "e")).toList(), next);
  }

  private MessageExport export(Format format, MessagePage first, Pages pages, int rowsMax) {
    return new MessageExport(format, first, pages, (row, to) -> {}, clock::nanoTime, rowsMax);
  }

  private String text(Format format, MessagePage first, Pages pages) throws IOException {
    export(format, first, pages, MessageExport.ROWS_MAX).to(out);
    return out.toString(UTF_8);
  }

  private static String csv(String... cells) {
    return String.join(",", cells);
  }

  private long lines() {
    return out.toString(UTF_8).lines().count();
  }

  @Test
  void eachPageIsWrittenBeforeTheNextIsRead() throws IOException {
    List<Long> written = new ArrayList<>();

    text(
        Format.NDJSON,
        page(0, "1"),
        cursor -> {
          written.add(lines());
          int number = Integer.parseInt(cursor);
          return page(number, number == 20 ? null : String.valueOf(number + 1));
        });

    assertThat(written)
        .isEqualTo(IntStream.rangeClosed(1, 20).mapToObj(i -> (long) i * PAGE).toList());
    assertThat(out.toString(UTF_8))
        .endsWith("{\"end\":{\"rows\":4200,\"scanned\":21000,\"complete\":true,\"why\":null}}\n");
  }

  @Test
  void exportEndsAtTheMostMessagesAndSaysSo() throws IOException {
    export(Format.NDJSON, page(0, "1"), cursor -> page(1, "2"), 300).to(out);

    assertThat(lines()).isEqualTo(301);
    assertThat(out.toString(UTF_8)).contains("\"rows\":300").contains("more than 300 messages");
  }

  @Test
  void exactlyTheMostMessagesAreComplete() throws IOException {
    export(Format.NDJSON, page(0, null), cursor -> page(1, "2"), PAGE).to(out);

    assertThat(out.toString(UTF_8)).contains("\"rows\":200,").contains("\"complete\":true");
  }

  @Test
  void exportEndsWhenItsTimeIsOver() throws IOException {
    String text =
        text(
            Format.CSV,
            page(0, "1"),
            cursor -> {
              clock.advance(Duration.ofMinutes(2));
              return page(List.of(), "1");
            });

    assertThat(text)
        .endsWith(
            "\"incomplete\",\"the time was over after 5 minutes, 4000 rows searched; narrow the filter\"\r\n");
  }

  @Test
  void databaseThatGoesAwayMakesItIncomplete() throws IOException {
    String text =
        text(
            Format.NDJSON,
            page(0, "1"),
            cursor -> {
              throw new StoreException("secret of the database", null);
            });

    assertThat(text)
        .contains("\"rows\":200,")
        .contains("\"complete\":false")
        .contains("the database did not answer")
        .doesNotContain("secret");
  }

  @Test
  void stageThatTheSearchDoesNotReachAllOfIsIncomplete() throws IOException {
    MessagePage last =
        new MessagePage(List.of(row(1, "k", "e")), null, new Scanned(60_000, NOW, false), NOW);

    assertThat(text(Format.CSV, last, cursor -> page(1, null)))
        .endsWith("\"incomplete\",\"a search does not reach all messages of this stage\"\r\n");
    out.reset();
    assertThat(text(Format.NDJSON, page(0, "1"), cursor -> last)).contains("\"complete\":false");
  }

  /** Whatever fails, in a page or in a message of it, the file does not look whole. */
  @ParameterizedTest
  @EnumSource
  void faultMakesItIncompleteAndIsThrown(Format format) {
    IllegalStateException fault = new IllegalStateException("secret of the database");
    MessageExport pageFails =
        export(
            format,
            page(0, "1"),
            cursor -> {
              throw fault;
            },
            MessageExport.ROWS_MAX);
    MessageExport messageFails =
        new MessageExport(
            format,
            page(0, "1"),
            cursor -> page(1, null),
            (row, to) -> {
              if (row.position().sequence() == PAGE + 5) {
                throw fault;
              }
            },
            clock::nanoTime);

    for (MessageExport each : List.of(pageFails, messageFails)) {
      out.reset();
      assertThatThrownBy(() -> each.to(out)).isSameAs(fault);
      List<String> lines = out.toString(UTF_8).lines().toList();
      assertThat(lines.get(lines.size() - 1))
          .contains(format == Format.CSV ? "\"incomplete\"," : "\"complete\":false")
          .contains("the console failed; its log says why")
          .doesNotContain("secret");
    }
  }

  @Test
  void questionIsRepeatedWhileTooManyAsk() throws IOException {
    int[] tries = new int[1];

    String text =
        text(
            Format.NDJSON,
            page(0, "1"),
            cursor -> {
              if (++tries[0] < 4) {
                throw Problem.busy("too many", Duration.ofSeconds(2));
              }
              return page(1, null);
            });

    assertThat(tries[0]).isEqualTo(4);
    assertThat(text).contains("\"rows\":400,").contains("\"complete\":true");
  }

  @Test
  void textsOfStrangersAreNoFormulas() throws IOException {
    List<String> hostile =
        List.of(
            "=HYPERLINK(\"http://evil.example\")",
            "+1",
            "-1",
            "@SUM(A1)",
            "\t=1",
            "\r=1",
            "\n=1",
            "＝1",
            "＋1",
            "－1",
            "＠1");

    for (String each : hostile) {
      out.reset();
      String text = text(Format.CSV, page(List.of(row(1, each, each)), null), cursor -> null);
      assertThat(text).contains(",\"'" + each.replace("\"", "\"\"") + "\",");
    }
  }

  @Test
  void quotesAndLineEndsStayWithinTheirCell() throws IOException {
    String text =
        text(
            Format.CSV,
            page(List.of(row(1, "a\",\r\n=1", ""), row(2, null, "中文 \u202e")), null),
            cursor -> null);

    String id = "\"00000000-0000-0001-0000-00000000000";
    String end = csv("7", "1", "2026-11-26T12:00:00Z", "2026-11-26T12:00:00Z", "");
    assertThat(text)
        .isEqualTo(
            "\uFEFF\"stage\",\"id\",\"partition\",\"sequence\",\"destination\",\"key\",\"type\",\"businessType\","
                + "\"businessKey\",\"createdBy\",\"updatedBy\",\"payloadBytes\",\"attempts\",\"createdAt\",\"at\","
                + "\"dueAt\",\"error\",\"blocksKey\"\r\n"
                + csv("\"dead\"", id + "1\"", "-5", "\"1\"", "\"kafka:orders\"")
                + ",\"a\"\",\r\n=1\",,,,\"shop\",,"
                + end
                + ",\"\",false\r\n"
                + csv("\"dead\"", id + "2\"", "-5", "\"2\"", "\"kafka:orders\"")
                + ",,,,,\"shop\",,"
                + end
                + ",\"中文 \u202e\",false\r\n");
  }

  @Test
  void lineOfJsonStaysOneLine() throws IOException {
    String text =
        text(Format.NDJSON, page(List.of(row(1, "a\nb\r\u2028\"", null)), null), cursor -> null);

    assertThat(text.split("\n", -1)).hasSize(3);
    assertThat(text).contains("\"key\":\"a\\nb\\r\u2028\\\"\"");
  }
}
