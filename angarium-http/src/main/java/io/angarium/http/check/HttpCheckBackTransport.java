package io.angarium.http.check;

import io.angarium.TimeSource;
import io.angarium.half.CheckAnswer;
import io.angarium.half.HalfKey;
import io.angarium.half.check.AllowedByBusiness;
import io.angarium.half.check.CheckBackTransport;
import io.angarium.half.internal.remote.PrintableExcerpt;
import io.angarium.http.internal.client.Client;
import io.angarium.http.internal.client.Ending;
import io.angarium.http.internal.client.Ending.Answer;
import io.angarium.http.internal.client.Ending.Silence;
import io.angarium.http.internal.client.HttpDiagnosis;
import io.angarium.http.internal.client.LimitedBody;
import io.angarium.http.internal.form.CheckBackForm;
import io.angarium.http.internal.form.DtmForm;
import io.angarium.http.internal.form.OwnCheckBackForm;
import io.angarium.http.internal.form.TrustMessageForm;
import io.angarium.http.internal.url.AllowedHosts;
import io.angarium.http.internal.url.Credentials;
import io.angarium.http.internal.url.WebUrl;
import io.angarium.http.signature.HttpSignature;
import io.angarium.internal.DurationText;
import java.net.URI;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Asks producers over HTTP what became of their business transactions. Redirects are not followed,
 * and only hosts of the configuration are asked, as the addresses come from producers. Three forms:
 *
 * <ul>
 *   <li>{@linkplain #open ours}, addresses {@code http://…} and {@code https://…}: many keys in one
 *       POST, see {@link CheckBackEndpoint}
 *   <li>{@linkplain #trustMessage TrustMessage's}, {@code trustmessage+http://…}: {@code GET
 *       …?bizID=1&messageKey=k}, answered by {@code {"data":{"messageStatus":2}}}. 2 is committed,
 *       3 rolled back, 1 unknown, as such a producer does not tell what is open from what is lost
 *   <li>{@linkplain #dtm dtm's}, {@code dtm+http://…}: {@code GET …?gid=k&trans_type=msg&…},
 *       answered by status 200 for committed, unless it is a page of somebody else's, 409 for
 *       rolled back, 425 for in flight
 * </ul>
 *
 * <p>A verdict that is none is unknown. An answer of another form, which a gateway may have sent,
 * no answer and any other status are unreachable. Questions in our own form are signed for
 * businesses that have a secret in the configuration, and those to hosts with credentials show
 * them. Thread-safe.
 */
public final class HttpCheckBackTransport implements CheckBackTransport {
  /** Maximum questions that get threads at a time. The caller limits the questions in flight. */
  private static final int REQUESTS_MAX = 64;

  private static final String CLOSED = "the transport of check-backs is closed";

  private final CheckBackForm form;
  private final HttpCheckBackConfig config;
  private final AllowedByBusiness allowed;
  private final Map<String, HttpSignature> signatures = new HashMap<>();
  private final Credentials credentials;
  private final Client client;
  private final Set<Question> underWay = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  /** A question under way. Compared by identity. */
  private static final class Question {
    private final WebUrl url;
    private final List<HalfKey> keys;
    private final CompletableFuture<List<CheckAnswer>> answers = new CompletableFuture<>();

    Question(WebUrl url, List<HalfKey> keys) {
      this.url = url;
      this.keys = keys;
    }

    void unreachable(String reason) {
      answers.complete(CheckAnswer.unreachable(keys.size(), reason));
    }
  }

  private HttpCheckBackTransport(CheckBackForm form, HttpCheckBackConfig config) {
    this.form = form;
    this.config = config;
    this.allowed = new AllowedByBusiness(config.allowedHosts());
    config
        .secrets()
        .forEach((business, secrets) -> signatures.put(business, HttpSignature.of(secrets)));
    this.credentials = new Credentials(config.authorizations());
    this.client = new Client(config.connect(), REQUESTS_MAX, LimitedBody.READ_BYTES_MAX, null);
  }

  /** Asks in our own form. Connects to nobody yet. */
  public static HttpCheckBackTransport open(HttpCheckBackConfig config) {
    return new HttpCheckBackTransport(new OwnCheckBackForm(), config);
  }

  /** Asks producers that were made for TrustMessage. Connects to nobody yet. */
  public static HttpCheckBackTransport trustMessage(HttpCheckBackConfig config) {
    return new HttpCheckBackTransport(new TrustMessageForm(), config);
  }

  /** Asks producers that were made for dtm. Connects to nobody yet. */
  public static HttpCheckBackTransport dtm(HttpCheckBackConfig config) {
    return new HttpCheckBackTransport(new DtmForm(), config);
  }

  @Override
  public Set<String> schemes() {
    return Set.of(form.prefix() + "http", form.prefix() + "https");
  }

  @Override
  public int keysMax() {
    return form.keysMax();
  }

  @Override
  public Optional<String> refusal(String business, URI address) {
    String text = address.toString();
    Optional<WebUrl> url = url(text);
    if (url.isEmpty()) {
      return Optional.of(
          "%s: no address for a check-back (expected: %s%s)"
              .formatted(PrintableExcerpt.of(text), form.prefix(), WebUrl.FORM));
    }
    AllowedHosts hosts = new AllowedHosts(allowed.of(business), List.of());
    if (hosts.allow(url.get())) {
      return credentials.wouldShow(url.get())
          ? Optional.of(
              "%s: the host %s is asked with credentials (expected: https)"
                  .formatted(PrintableExcerpt.of(text), url.get().hostAndPort()))
          : Optional.empty();
    }
    return Optional.of(
        "%s: the host %s is not allowed for check-backs of %s (expected: one of the allowed hosts); add it to them"
            .formatted(PrintableExcerpt.of(text), url.get().hostAndPort(), business));
  }

  private Optional<WebUrl> url(String text) {
    boolean ours = text.regionMatches(true, 0, form.prefix(), 0, form.prefix().length());
    return ours ? WebUrl.parse(text.substring(form.prefix().length())) : Optional.empty();
  }

  @Override
  public CompletionStage<List<CheckAnswer>> ask(URI address, List<HalfKey> keys) {
    Optional<String> refusal = refusal(keys.get(0).business(), address);
    if (refusal.isPresent()) {
      return CompletableFuture.completedFuture(CheckAnswer.unreachable(keys.size(), refusal.get()));
    }
    Question question = new Question(url(address.toString()).orElseThrow(), keys);
    underWay.add(question);
    try {
      client.run(() -> send(question)); // the name service may block
    } catch (RuntimeException e) {
      question.unreachable("it could not be asked: " + e);
    }
    if (closed) {
      question.unreachable(CLOSED);
    }
    return question.answers.whenComplete((done, never) -> underWay.remove(question));
  }

  private void send(Question question) {
    WebUrl url = question.url;
    try {
      byte[] body = form.body(question.keys);
      HttpRequest.Builder request =
          form.request(url.uri(), question.keys, body)
              .version(url.isSecure() ? Version.HTTP_2 : Version.HTTP_1_1)
              .setHeader("user-agent", "Angarium")
              .setHeader("accept", "application/json");
      sign(request, question.keys, body);
      credentials.addTo(request, url);
      client.exchange(
          request.build(),
          config.answer(),
          ending -> question.answers.complete(answers(url, question.keys, ending)));
    } catch (RuntimeException e) {
      question.unreachable("it could not be asked: " + e);
    }
  }

  private void sign(HttpRequest.Builder request, List<HalfKey> keys, byte[] body) {
    HttpSignature signature =
        signatures.getOrDefault(
            keys.get(0).business(), signatures.get(HttpCheckBackConfig.EVERY_BUSINESS));
    if (signature != null && body.length > 0) {
      String id = keys.get(0).id().toString(); // a question that comes again changes nothing
      signature.addTo(request, id, TimeSource.SYSTEM.instant(), body);
    }
  }

  private List<CheckAnswer> answers(WebUrl url, List<HalfKey> keys, Ending ending) {
    if (!(ending instanceof Answer answer)
        || !answer.complete()
        || !form.statuses().contains(answer.status())) {
      return CheckAnswer.unreachable(keys.size(), url.origin() + " " + says(ending));
    }
    try {
      return form.read(answer.status(), answer.body(), keys);
    } catch (RuntimeException e) { // whatever a stranger sent
      return CheckAnswer.unreachable(
          keys.size(), url.origin() + " sent no verdict: " + PrintableExcerpt.of(e.toString()));
    }
  }

  private String says(Ending ending) {
    if (ending instanceof Answer answer) {
      String status = "answered " + answer.status();
      String body = PrintableExcerpt.of(answer.body());
      return body.isEmpty() ? status : status + " (" + body + ")";
    }
    Throwable cause = cause(ending);
    return cause == null
        ? "did not answer within " + DurationText.of(config.answer())
        : "cannot be reached: " + HttpDiagnosis.says(cause);
  }

  private static @Nullable Throwable cause(Ending ending) {
    return ending instanceof Silence silence ? HttpDiagnosis.root(silence.cause()) : null;
  }

  /** Breaks off what is under way. */
  @Override
  public void close() {
    closed = true;
    client.close();
    underWay.forEach(question -> question.unreachable(CLOSED));
  }
}
