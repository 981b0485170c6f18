package io.angarium.console.internal.calls;

import io.angarium.TimeSource;
import io.angarium.console.access.Right;
import io.angarium.console.internal.access.Permits;
import io.angarium.console.internal.export.MessageExport;
import io.angarium.console.internal.export.MessageExport.Format;
import io.angarium.console.internal.http.Answer;
import io.angarium.console.internal.http.ApiRoute;
import io.angarium.console.internal.http.Call;
import io.angarium.console.internal.json.RecordJson;
import io.angarium.console.internal.payload.Masking;
import io.angarium.console.internal.payload.PayloadView;
import io.angarium.console.internal.payload.PayloadView.View;
import io.angarium.console.internal.problem.Problem;
import io.angarium.desk.AuditEntry;
import io.angarium.desk.MessageBrowser;
import io.angarium.desk.MessagePage;
import io.angarium.desk.MessageQuery;
import io.angarium.desk.MessageRow;
import io.angarium.desk.Stage;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Messages of a stage as a file. One export runs at a time, as each asks without end. Thread-safe.
 */
public final class ExportCalls {
  private static final Duration PAUSE = Duration.ofSeconds(10);
  private static final String REASON = "exported messages";

  private final Permits permits;
  private final Masking masking;
  private final TimeSource time;
  private final Semaphore running = new Semaphore(1);

  public ExportCalls(Permits permits, Masking masking, TimeSource time) {
    this.permits = permits;
    this.masking = masking;
    this.time = time;
  }

  /** Whether payloads are in an export. */
  enum Payloads {
    NONE,
    MASKED,
    REVEALED
  }

  /**
   * Which messages, and how. Immutable.
   *
   * @param filter with stage and order, without limit and cursor
   */
  record ExportRequest(
      @Nullable SearchRequest filter,
      @Nullable String format,
      @Nullable String payloads,
      @Nullable String reason) {}

  /** The route. */
  public List<ApiRoute> routes() {
    return List.of(
        new ApiRoute(
            "POST",
            "{db}/export",
            Right.VIEW,
            false,
            "Gives the messages of a search as lines of JSON or CSV, at most "
                + MessageExport.ROWS_MAX
                + ", which the audit notes; the end says whether these are all",
            ExportRequest.class,
            null,
            List.of(),
            this::export));
  }

  private Answer export(Call call) {
    ExportRequest given = call.body(ExportRequest.class);
    Format format =
        given.format() == null
            ? Format.NDJSON
            : Call.choice("format", Format.class, given.format());
    Payloads payloads =
        given.payloads() == null
            ? Payloads.NONE
            : Call.choice("payloads", Payloads.class, given.payloads());
    if (payloads == Payloads.REVEALED) {
      call.require(Right.PAYLOAD);
    }
    MessageQuery query = query(call, given.filter());
    AuditEntry entry =
        AuditEntry.of(
            call.actBy(given.reason() == null ? REASON : given.reason(), null),
            "export",
            "stage",
            RecordJson.text(query.stage()),
            "as %s, payloads: %s".formatted(RecordJson.text(format), RecordJson.text(payloads)));
    if (!running.tryAcquire()) {
      throw Problem.busy("an export is running (expected: one at a time); try again later", PAUSE);
    }
    boolean begun = false;
    try {
      MessagePage first = search(call, query);
      note(call, entry);
      begun = true;
      return answer(format, query.stage(), export(call, format, query, first, payloads));
    } finally {
      if (!begun) {
        running.release();
      }
    }
  }

  private static MessageQuery query(Call call, @Nullable SearchRequest filter) {
    if (filter == null || filter.limit() != null || filter.cursor() != null) {
      throw Problem.invalid("filter: none, or with limit or cursor (expected: one without)");
    }
    Stage stage =
        filter.stage() == null ? Stage.DEAD : Call.choice("stage", Stage.class, filter.stage());
    MessageQuery.Order order =
        filter.order() == null
            ? MessageQuery.Order.NEWEST
            : Call.choice("order", MessageQuery.Order.class, filter.order());
    return MessageQuery.newest(stage, filter.filter(), MessageQuery.LIMIT_MAX)
        .order(order)
        .permitted(MessageCalls.visible(call.operator()));
  }

  private MessagePage search(Call call, MessageQuery query) {
    return permits.ask(() -> call.database().desk().messages().search(query));
  }

  private void note(Call call, AuditEntry entry) {
    permits.ask(
        () -> {
          call.database().desk().audit().note(entry);
          return true;
        });
  }

  private MessageExport export(
      Call call, Format format, MessageQuery query, MessagePage first, Payloads payloads) {
    return new MessageExport(
        format,
        first,
        cursor -> search(call, query.cursor(cursor)),
        (row, to) -> {
          if (payloads != Payloads.NONE) {
            addPayload(call, row, payloads == Payloads.REVEALED, to);
          }
        },
        time::nanoTime);
  }

  private void addPayload(
      Call call, MessageRow row, boolean wanted, Map<String, @Nullable Object> to) {
    boolean reveal = wanted && call.operator().may(Right.PAYLOAD, row);
    byte[] payload =
        permits
            .ask(
                () ->
                    call.database()
                        .desk()
                        .messages()
                        .payload(row, 0, MessageBrowser.PAYLOAD_BYTES_MAX))
            .orElse(null);
    PayloadView view =
        payload == null
            ? null
            : PayloadView.of(payload, row.payloadBytes(), View.AUTO, 0, masking, reveal);
    to.put("payload", view == null ? null : view.text());
    to.put("payloadAs", view == null ? "gone" : RecordJson.text(view.view()));
    to.put("payloadMasked", !reveal);
    to.put("payloadCut", view != null && view.next() != null);
  }

  private Answer answer(Format format, Stage stage, MessageExport export) {
    String file = "messages-%s.%s".formatted(RecordJson.text(stage), RecordJson.text(format));
    Answer.Stream stream =
        out -> {
          try {
            export.to(out);
          } finally {
            running.release();
          }
        };
    return new Answer(
        200,
        stream,
        Map.of(
            "Content-Type",
            format.type(),
            "Content-Disposition",
            "attachment; filename=\"" + file + "\""));
  }
}
