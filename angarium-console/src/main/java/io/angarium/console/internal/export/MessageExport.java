package io.angarium.console.internal.export;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.angarium.StoreException;
import io.angarium.console.internal.json.RecordJson;
import io.angarium.console.internal.problem.Problem;
import io.angarium.desk.MessagePage;
import io.angarium.desk.MessageRow;
import io.angarium.internal.ShownAddress;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Messages of a search as lines, one page after the other: no more than a page is in memory. Says
 * at its end how many there are and whether these are all. Not thread-safe: one thread at a time.
 */
public final class MessageExport {
  /** The most messages. */
  public static final int ROWS_MAX = 100_000;

  /** No further page is read after this time. */
  public static final Duration TIME_MAX = Duration.ofMinutes(5);

  private static final String BYTE_ORDER_MARK = "\uFEFF";
  private static final String BUSY = "BUSY";
  private static final RecordJson JSON = new RecordJson();

  /** How messages are written. */
  public enum Format {
    /** A JSON object a line; the last one has the member {@code end}. */
    NDJSON("application/x-ndjson"),
    /**
     * A table with a head, whose byte order mark tells spreadsheets that it is UTF-8. If messages
     * are missing, the last line begins with {@code incomplete}.
     */
    CSV("text/csv; charset=utf-8");

    private final String type;

    Format(String type) {
      this.type = type;
    }

    /** The media type. */
    public String type() {
      return type;
    }
  }

  /** Continues a search. */
  @FunctionalInterface
  public interface Pages {
    /** Reads the page behind a cursor; throws what a search throws. */
    MessagePage after(String cursor);
  }

  /** Adds what is not in a row. */
  @FunctionalInterface
  public interface Details {
    /** Adds named values to a message, the same names to each. */
    void add(MessageRow row, Map<String, @Nullable Object> to);
  }

  /** How an export ended. Immutable. */
  record End(int rows, long scanned, boolean complete, @Nullable String why) {}

  private final Format format;
  private final MessagePage first;
  private final Pages pages;
  private final Details details;
  private final LongSupplier nanos;
  private final int rowsMax;
  private int rows;
  private long scanned;
  private @Nullable String why;

  /**
   * Creates an export.
   *
   * @param first the page that was read already
   * @param nanos the clock that {@link #TIME_MAX} is measured by
   */
  public MessageExport(
      Format format, MessagePage first, Pages pages, Details details, LongSupplier nanos) {
    this(format, first, pages, details, nanos, ROWS_MAX);
  }

  MessageExport(
      Format format,
      MessagePage first,
      Pages pages,
      Details details,
      LongSupplier nanos,
      int rowsMax) {
    this.format = format;
    this.first = first;
    this.pages = pages;
    this.details = details;
    this.nanos = nanos;
    this.rowsMax = rowsMax;
  }

  /**
   * Writes all of it. Blocks while pages are read, and while the reader is slow.
   *
   * @throws IOException if the client has gone
   * @throws RuntimeException if a page or a message fails in a way that is not expected; the end
   *     then says that messages are missing
   */
  public void to(OutputStream out) throws IOException {
    BufferedOutputStream to = new BufferedOutputStream(out);
    String missing;
    try {
      missing = pages(to);
    } catch (RuntimeException e) {
      end(to, "the console failed; its log says why");
      throw e;
    }
    end(to, missing);
  }

  private void end(OutputStream to, @Nullable String missing) throws IOException {
    if (format == Format.NDJSON) {
      line(to, Map.of("end", new End(rows, scanned, missing == null, missing)));
    } else if (missing != null) {
      to.write(CsvLine.of(List.of("incomplete", missing)).getBytes(UTF_8));
    }
    to.flush();
  }

  /** Returns why messages are missing; null if none is. */
  private @Nullable String pages(OutputStream to) throws IOException {
    long endNanos = nanos.getAsLong() + TIME_MAX.toNanos();
    MessagePage page = first;
    while (true) {
      scanned += page.scanned().rows();
      for (MessageRow row : page.rows()) {
        if (rows == rowsMax) {
          return "more than " + rowsMax + " messages; narrow the filter";
        }
        Map<String, @Nullable Object> values = read(() -> values(row), endNanos);
        if (values == null) {
          return why;
        }
        write(to, values);
      }
      to.flush();
      String next = page.next();
      if (next == null) {
        return page.scanned().complete()
            ? null
            : "a search does not reach all messages of this stage";
      }
      page = read(() -> pages.after(next), endNanos);
      if (page == null) {
        return why;
      }
    }
  }

  /** Reads something; null if the export must end. Tries again while too many ask. */
  private <T> @Nullable T read(Supplier<T> question, long endNanos) {
    while (nanos.getAsLong() - endNanos < 0 && !Thread.currentThread().isInterrupted()) {
      try {
        return question.get();
      } catch (StoreException e) {
        why = "the database did not answer; export again";
        return null;
      } catch (Problem e) {
        if (!e.code().equals(BUSY)) {
          why = "not everything could be read: " + e.detail();
          return null;
        }
      }
    }
    why =
        "the time was over after %d minutes, %d rows searched; narrow the filter"
            .formatted(TIME_MAX.toMinutes(), scanned);
    return null;
  }

  private void write(OutputStream to, Map<String, @Nullable Object> values) throws IOException {
    if (format == Format.NDJSON) {
      line(to, values);
    } else {
      if (rows == 0) {
        to.write((BYTE_ORDER_MARK + CsvLine.of(values.keySet())).getBytes(UTF_8));
      }
      to.write(CsvLine.of(values.values()).getBytes(UTF_8));
    }
    rows++;
  }

  private static void line(OutputStream to, Object value) throws IOException {
    to.write(JSON.bytes(value));
    to.write('\n');
  }

  private Map<String, @Nullable Object> values(MessageRow row) {
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    values.put("stage", RecordJson.text(row.stage()));
    values.put("id", row.id().value().toString());
    values.put("partition", row.position().partition());
    values.put("sequence", String.valueOf(row.position().sequence()));
    values.put("destination", ShownAddress.of(row.destination()));
    values.put("key", row.key());
    values.put("type", row.type());
    values.put("businessType", row.businessType());
    values.put("businessKey", row.businessKey());
    values.put("createdBy", row.createdBy());
    values.put("updatedBy", row.updatedBy());
    values.put("payloadBytes", row.payloadBytes());
    values.put("attempts", row.attempts());
    values.put("createdAt", row.createdAt());
    values.put("at", row.at());
    values.put("dueAt", row.dueAt());
    values.put("error", row.error());
    values.put("blocksKey", row.blocksKey());
    details.add(row, values);
    return values;
  }
}
