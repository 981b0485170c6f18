package io.angarium.http;

import io.angarium.Message;
import io.angarium.half.internal.remote.PrintableExcerpt;
import io.angarium.http.internal.client.Ending;
import io.angarium.http.internal.client.Ending.Answer;
import io.angarium.http.internal.client.LimitedBody;
import io.angarium.http.internal.client.Target;
import io.angarium.http.internal.form.DtmForm;
import io.angarium.http.internal.form.TrustMessageForm;
import io.angarium.intake.StoredMessage;
import io.angarium.transport.SendResult;
import io.angarium.transport.SendResult.Acknowledged;
import io.angarium.transport.SendResult.Failed;
import io.angarium.transport.SendResult.Refused;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Instant;
import java.util.Map;

/** Calls a step of a message of dtm as dtm's own server does. Immutable. */
final class DtmStepForm implements PostForm {
  private static final String ONGOING = "ONGOING";
  private static final String FAILURE = "FAILURE";

  @Override
  public String transport() {
    return DtmStep.TRANSPORT;
  }

  /** All that is read: dtm looks for its words anywhere. */
  @Override
  public int keptBytesMax() {
    return LimitedBody.READ_BYTES_MAX;
  }

  @Override
  public HttpRequest post(StoredMessage stored, Target target, Instant now) {
    Message message = stored.message();
    String query =
        "gid="
            + TrustMessageForm.encoded(header(message, DtmStep.GID))
            + "&trans_type=msg&branch_id="
            + TrustMessageForm.encoded(header(message, DtmStep.BRANCH))
            + "&op=action";
    Version version = target.url().isSecure() ? Version.HTTP_2 : Version.HTTP_1_1;
    HttpRequest.Builder request =
        HttpRequest.newBuilder(TrustMessageForm.with(target.url().uri(), query))
            .version(version)
            .setHeader("user-agent", "Angarium")
            .setHeader("content-type", "application/json");
    for (Map.Entry<String, String> each : message.headers().asMap().entrySet()) {
      if (each.getKey().startsWith(DtmStep.HEADER_PREFIX)) {
        setHeader(
            request, each.getKey().substring(DtmStep.HEADER_PREFIX.length()), each.getValue());
      }
    }
    byte[] body = message.payload();
    return body.length == 0
        ? request.GET().build()
        : request.POST(BodyPublishers.ofByteArray(body)).build();
  }

  /** Looked at once more, as what is in the database need not have been looked at. */
  private static void setHeader(HttpRequest.Builder request, String name, String value) {
    if (!DtmStep.mayBeHeader(name)) {
      throw new IllegalArgumentException(
          "header " + DtmStep.HEADER_PREFIX + name + ": given (expected: none of the connection)");
    }
    request.setHeader(name, value);
  }

  private static String header(Message message, String name) {
    String value = message.headers().get(name);
    if (value == null) {
      throw new IllegalArgumentException(
          "header " + name + ": none (expected: one, as for each step of dtm)");
    }
    return value;
  }

  /** Some receivers answer 200 and say in the body that it is not done; 409 is tried again. */
  @Override
  public SendResult judged(SendResult result, Target target, Ending ending) {
    if (!(ending instanceof Answer answer)) {
      return result;
    }
    boolean says = answer.body().contains(ONGOING) || answer.body().contains(FAILURE);
    if (result instanceof Acknowledged && says) {
      return new Failed(
          "%s answered %d, but says %s"
              .formatted(target.label(), answer.status(), PrintableExcerpt.of(answer.body())),
          null);
    }
    boolean conflict = result instanceof Refused && answer.status() == DtmForm.ROLLED_BACK;
    return conflict ? new Failed(target.label() + " answered 409, a failure of dtm", null) : result;
  }
}
