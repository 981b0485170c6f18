package io.angarium.http.internal.form;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.angarium.half.CheckAnswer;
import io.angarium.half.HalfKey;
import io.angarium.half.Verdict;
import io.angarium.half.internal.remote.PrintableExcerpt;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The check-back of TrustMessage: one key in a GET. Immutable. */
public final class TrustMessageForm implements CheckBackForm {
  @Override
  public String prefix() {
    return "trustmessage+";
  }

  @Override
  public int keysMax() {
    return 1;
  }

  @Override
  public Set<Integer> statuses() {
    return IntStream.range(200, 300).boxed().collect(Collectors.toSet());
  }

  @Override
  public HttpRequest.Builder request(URI uri, List<HalfKey> keys, byte[] body) {
    HalfKey key = keys.get(0);
    return HttpRequest.newBuilder(
        with(uri, "bizID=" + encoded(key.business()) + "&messageKey=" + encoded(key.key())));
  }

  /** The address with more of a query. */
  public static URI with(URI uri, String query) {
    return URI.create(uri + (uri.getRawQuery() == null ? "?" : "&") + query);
  }

  public static String encoded(String value) {
    return URLEncoder.encode(value, UTF_8);
  }

  @Override
  public List<CheckAnswer> read(int status, String body, List<HalfKey> keys) {
    return List.of(answer(CheckBackJson.messageStatus(body)));
  }

  private static CheckAnswer answer(@Nullable String messageStatus) {
    if (messageStatus == null) {
      return new CheckAnswer(Verdict.UNREACHABLE, "the answer has no data.messageStatus");
    }
    return switch (messageStatus) {
      case "2", "commit" -> CheckAnswer.of(Verdict.COMMITTED);
      case "3", "rollback" -> CheckAnswer.of(Verdict.ROLLED_BACK);
      case "1", "prepare" -> new CheckAnswer(Verdict.UNKNOWN, "the producer says: prepared");
      default ->
          new CheckAnswer(
              Verdict.UNKNOWN,
              "messageStatus '" + PrintableExcerpt.of(messageStatus) + "' is none");
    };
  }
}
