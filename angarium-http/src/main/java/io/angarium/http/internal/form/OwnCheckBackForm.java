package io.angarium.http.internal.form;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.angarium.half.CheckAnswer;
import io.angarium.half.HalfKey;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.Set;

/** Many keys in one POST, see {@link CheckBackJson}. Immutable. */
public final class OwnCheckBackForm implements CheckBackForm {
  @Override
  public String prefix() {
    return "";
  }

  @Override
  public int keysMax() {
    return CheckBackJson.KEYS_MAX;
  }

  @Override
  public Set<Integer> statuses() {
    return Set.of(200);
  }

  @Override
  public HttpRequest.Builder request(URI uri, List<HalfKey> keys, byte[] body) {
    return HttpRequest.newBuilder(uri)
        .POST(BodyPublishers.ofByteArray(body))
        .setHeader("content-type", "application/json");
  }

  @Override
  public byte[] body(List<HalfKey> keys) {
    return CheckBackJson.question(keys).getBytes(UTF_8);
  }

  @Override
  public List<CheckAnswer> read(int status, String body, List<HalfKey> keys) {
    List<CheckAnswer> answers = CheckBackJson.verdicts(body);
    return answers.size() == keys.size()
        ? answers
        : CheckAnswer.unreachable(
            keys.size(),
            answers.size() + " verdicts (expected: " + keys.size() + ", one for each key)");
  }
}
