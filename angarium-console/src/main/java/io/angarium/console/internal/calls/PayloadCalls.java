package io.angarium.console.internal.calls;

import io.angarium.console.access.Right;
import io.angarium.console.internal.access.Permits;
import io.angarium.console.internal.http.Answer;
import io.angarium.console.internal.http.ApiRoute;
import io.angarium.console.internal.http.Call;
import io.angarium.console.internal.payload.Masking;
import io.angarium.console.internal.payload.PayloadView;
import io.angarium.console.internal.payload.PayloadView.View;
import io.angarium.console.internal.problem.Problem;
import io.angarium.desk.AuditEntry;
import io.angarium.desk.FoundMessage;
import io.angarium.desk.MessageBrowser;
import io.angarium.desk.MessageDetails;
import io.angarium.desk.MessageRow;
import io.angarium.desk.SearchDepth;
import io.angarium.desk.Stage;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Payloads, masked unless somebody with the right to it reveals one. Thread-safe. */
public final class PayloadCalls {
  /** The largest payload that is downloaded through the console. */
  private static final int RAW_BYTES_MAX = 64 << 20;

  private static final String REVEAL_REASON = "looked at the payload";

  private final Permits permits;
  private final Masking masking;
  private final MessageCalls messages;

  public PayloadCalls(Permits permits, Masking masking, MessageCalls messages) {
    this.permits = permits;
    this.masking = masking;
    this.messages = messages;
  }

  /** A payload as a person sees it. Immutable. */
  record Shown(
      Stage stage,
      View view,
      @Nullable String contentType,
      long bytes,
      long from,
      @Nullable Long next,
      @Nullable String text,
      @Nullable String sha256,
      boolean masked,
      List<String> maskedFields,
      boolean mayReveal) {}

  /** The routes. */
  public List<ApiRoute> routes() {
    return List.of(
        ApiRoute.get(
            "{db}/messages/{id}/payload",
            Right.VIEW,
            "Shows a part of a payload, masked unless it is revealed, which the audit notes",
            Shown.class,
            List.of("stage", "view", "from", "reveal", "depth"),
            this::payload),
        ApiRoute.get(
            "{db}/messages/{id}/raw",
            Right.PAYLOAD,
            "Gives a whole payload as it is, which the audit notes",
            null,
            List.of("stage", "depth"),
            this::raw));
  }

  private Answer payload(Call call) {
    View view = call.choice("view", View.class, View.AUTO);
    boolean reveal = "true".equals(call.parameter("reveal"));
    int from = call.number("from", 0, 0, RAW_BYTES_MAX);
    MessageDetails place = place(call);
    boolean may = call.operator().may(Right.PAYLOAD, place.row());
    if (reveal && !may) {
      throw Problem.notPermitted(
          "'%s' may not see payloads that are not masked (expected: the right 'payload')"
              .formatted(call.operator().name()));
    }
    byte[] begin = bytes(call, place.row(), 0, MessageBrowser.PAYLOAD_BYTES_MAX);
    if (reveal && from == 0) {
      note(call, place.row(), "reveal");
    }
    PayloadView shown =
        PayloadView.of(begin, place.row().payloadBytes(), view, from, masking, reveal);
    return Answer.of(
        new Shown(
            place.row().stage(),
            shown.view(),
            place.headers().get("content-type"),
            place.row().payloadBytes(),
            shown.from(),
            shown.next(),
            shown.text(),
            shown.sha256(),
            !reveal,
            shown.maskedFields(),
            may));
  }

  private MessageDetails place(Call call) {
    Stage stage = call.choice("stage", Stage.class, Stage.DEAD);
    FoundMessage found =
        messages.found(call, call.choice("depth", SearchDepth.class, SearchDepth.LIKELY));
    return found.places().stream()
        .filter(each -> each.row().stage() == stage)
        .findFirst()
        .orElseThrow(
            () ->
                Problem.unknown(
                    "the message is not in the stage '%s' (expected: one of its places)"
                        .formatted(call.parameter("stage"))));
  }

  private byte[] bytes(Call call, MessageRow row, long from, int max) {
    Optional<byte[]> bytes =
        permits.ask(() -> call.database().desk().messages().payload(row, from, max));
    return bytes.orElseThrow(
        () -> Problem.unknown("the message has moved to another stage meanwhile; look again"));
  }

  private void note(Call call, MessageRow row, String act) {
    AuditEntry entry =
        AuditEntry.of(
            call.actBy(REVEAL_REASON, null),
            act,
            AuditEntry.MESSAGE,
            row.id().value().toString(),
            null);
    permits.ask(
        () -> {
          call.database().desk().audit().note(entry);
          return true;
        });
  }

  private Answer raw(Call call) {
    MessageDetails place = place(call);
    if (!call.operator().may(Right.PAYLOAD, place.row())) {
      throw Problem.notPermitted(
          "'%s' may not download this payload (expected: the right 'payload')"
              .formatted(call.operator().name()));
    }
    long size = place.row().payloadBytes();
    if (size > RAW_BYTES_MAX) {
      throw Problem.tooLarge(RAW_BYTES_MAX);
    }
    note(call, place.row(), "download");
    ByteArrayOutputStream all = new ByteArrayOutputStream((int) size);
    while (all.size() < size) {
      byte[] part = bytes(call, place.row(), all.size(), MessageBrowser.PAYLOAD_BYTES_MAX);
      if (part.length == 0) {
        break;
      }
      all.writeBytes(part);
    }
    return new Answer(
        200,
        all.toByteArray(),
        Map.of(
            "Content-Type",
            "application/octet-stream",
            "Content-Disposition",
            "attachment; filename=\"" + place.row().id().value() + ".bin\""));
  }
}
