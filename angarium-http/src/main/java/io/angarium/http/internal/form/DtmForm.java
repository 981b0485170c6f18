package io.angarium.http.internal.form;

import io.angarium.half.CheckAnswer;
import io.angarium.half.HalfKey;
import io.angarium.half.Verdict;
import io.angarium.half.internal.remote.PrintableExcerpt;
import java.net.URI;
import java.net.http.HttpRequest;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** The check-back of dtm: one key in a GET, the status is the answer. Immutable. */
public final class DtmForm implements CheckBackForm {
  public static final int ROLLED_BACK = 409;
  public static final int IN_FLIGHT = 425;

  private static final int OK = 200;

  /** What producers that answer in plain text say. */
  private static final Pattern YES =
      Pattern.compile("(?i:ok)|(?!<)(?s:.*)\\b(?i:SUCCESS)\\b(?s:.*)");

  @Override
  public String prefix() {
    return "dtm+";
  }

  @Override
  public int keysMax() {
    return 1;
  }

  @Override
  public Set<Integer> statuses() {
    return Set.of(OK, ROLLED_BACK, IN_FLIGHT);
  }

  @Override
  public HttpRequest.Builder request(URI uri, List<HalfKey> keys, byte[] body) {
    String gid = TrustMessageForm.encoded(keys.get(0).key());
    return HttpRequest.newBuilder(
        TrustMessageForm.with(uri, "gid=" + gid + "&trans_type=msg&branch_id=00&op=msg"));
  }

  @Override
  public List<CheckAnswer> read(int status, String body, List<HalfKey> keys) {
    return List.of(answer(status, body.strip()));
  }

  /** Some producers answer 200 and say it in the body; what may mean either is neither. */
  private static CheckAnswer answer(int status, String body) {
    String result = body.startsWith("{") ? CheckBackJson.dtmResult(body) : body;
    if (status == IN_FLIGHT || "ONGOING".equals(result)) {
      return CheckAnswer.of(Verdict.IN_FLIGHT);
    }
    if (status == ROLLED_BACK || "FAILURE".equals(result)) {
      return CheckAnswer.of(Verdict.ROLLED_BACK);
    }
    if (!isOfProducer(body)) {
      throw new IllegalArgumentException(
          OK
              + " with '"
              + PrintableExcerpt.of(body)
              + "' (expected: nothing, JSON, ok or SUCCESS)");
    }
    boolean doubtful = body.contains("FAILURE") || body.contains("ONGOING");
    return doubtful
        ? new CheckAnswer(Verdict.UNKNOWN, "200, but the body says " + PrintableExcerpt.of(body))
        : CheckAnswer.of(Verdict.COMMITTED);
  }

  /** A gateway answers with a page of its own, e.g. to log in, and means nothing by 200. */
  private static boolean isOfProducer(String body) {
    return body.isEmpty()
        || body.contains("FAILURE")
        || body.contains("ONGOING")
        || YES.matcher(body).matches()
        || CheckBackJson.isJson(body);
  }
}
