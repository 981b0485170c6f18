package io.angarium.http.check;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.angarium.TimeSource;
import io.angarium.half.CheckBack;
import io.angarium.half.HalfKey;
import io.angarium.half.Verdict;
import io.angarium.half.internal.remote.PrintableExcerpt;
import io.angarium.http.internal.form.CheckBackJson;
import io.angarium.http.internal.form.DtmForm;
import io.angarium.http.signature.HttpSignature;
import io.angarium.http.signature.SignatureCheck;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The producer's side of a check-back over HTTP: turns a request into the question to a {@link
 * CheckBack} and its verdicts into an answer, for whatever web framework an application has. Our
 * own form is {@code POST} with the body {@code {"business":"order-paid","keys":["4711"]}},
 * answered by {@code {"verdicts":["COMMITTED"]}}. Blocks while the check-back does. Thread-safe.
 */
public final class CheckBackEndpoint {
  private static final Logger LOG = LoggerFactory.getLogger(CheckBackEndpoint.class);
  private static final int TRUST_MESSAGE_PREPARED = 1;
  private static final int TRUST_MESSAGE_COMMIT = 2;
  private static final int TRUST_MESSAGE_ROLLBACK = 3;

  private final Function<String, @Nullable CheckBack> byBusiness;
  private final SignatureCheck signatures = new SignatureCheck("Check-backs", TimeSource.SYSTEM);

  /**
   * What the web framework is to answer.
   *
   * @param status of HTTP: 200; 400 for a question that is none, 401 for one that is not signed as
   *     it must be, 404 for a business that nobody answers for, 503 if its check-back failed; with
   *     dtm also 409 and 425
   * @param body JSON
   */
  public record Reply(int status, String body) {}

  /**
   * Creates one.
   *
   * @param byBusiness who answers for which business id
   */
  public CheckBackEndpoint(Map<String, CheckBack> byBusiness) {
    this(Map.copyOf(byBusiness)::get);
  }

  /**
   * Creates one that looks for the check-back with each question.
   *
   * @param byBusiness who answers for a business id; gives null for nobody; must be thread-safe
   */
  public CheckBackEndpoint(Function<String, @Nullable CheckBack> byBusiness) {
    this.byBusiness = byBusiness;
  }

  /** Answers a question in our own form. */
  public Reply answer(String body) {
    List<HalfKey> keys;
    try {
      keys = CheckBackJson.keys(body);
    } catch (IllegalArgumentException e) {
      return error(400, "check-back: " + e.getMessage());
    }
    return answer(keys, verdicts -> new Reply(200, CheckBackJson.answer(verdicts)));
  }

  /**
   * Answers a question in our own form if it was signed with one of the secrets; else 401, and
   * nobody is asked. Why it is refused is logged, each reason once a minute at most.
   *
   * @param headers gives the value of a header of the request, null if it has none
   * @param body as it came, byte for byte
   * @param now for the age of the signature, which is at most the tolerance of {@code signature}
   */
  public Reply answerSigned(
      HttpSignature signature,
      Function<String, @Nullable String> headers,
      byte[] body,
      Instant now) {
    return signatures.passes(signature, headers, body, now)
        ? answer(new String(body, UTF_8))
        : error(
            401,
            "the question is not signed with a secret of this service, or its time is too far from"
                + " the clock here; the log of this service says which");
  }

  /**
   * Answers {@code GET …?bizID=1&messageKey=k}, as TrustMessage asks. In flight and unknown are
   * "prepared", unreachable is status 503.
   */
  public Reply trustMessage(String bizId, String messageKey) {
    return answerOne(
        bizId,
        messageKey,
        verdict ->
            switch (verdict) {
              case COMMITTED -> trustMessageReply(messageKey, TRUST_MESSAGE_COMMIT);
              case ROLLED_BACK -> trustMessageReply(messageKey, TRUST_MESSAGE_ROLLBACK);
              case IN_FLIGHT, UNKNOWN -> trustMessageReply(messageKey, TRUST_MESSAGE_PREPARED);
              case UNREACHABLE -> error(503, "it cannot be found out now");
            });
  }

  private static Reply trustMessageReply(String key, int status) {
    return new Reply(200, CheckBackJson.trustMessage(key, status));
  }

  /**
   * Answers {@code GET …?gid=k&trans_type=msg&…}, as dtm asks. Unknown is "ongoing", as dtm has no
   * word for it.
   *
   * @param business whose check-back answers, as dtm has no business ids
   */
  public Reply dtm(String business, String gid) {
    return answerOne(
        business,
        gid,
        verdict ->
            switch (verdict) {
              case COMMITTED -> new Reply(200, "{}");
              case ROLLED_BACK -> new Reply(DtmForm.ROLLED_BACK, "{\"dtm_result\":\"FAILURE\"}");
              case IN_FLIGHT, UNKNOWN ->
                  new Reply(DtmForm.IN_FLIGHT, "{\"dtm_result\":\"ONGOING\"}");
              case UNREACHABLE -> error(503, "it cannot be found out now");
            });
  }

  private interface One {
    Reply of(Verdict verdict);
  }

  private Reply answerOne(String business, String key, One one) {
    HalfKey half;
    try {
      half = new HalfKey(business, key);
    } catch (IllegalArgumentException e) {
      return error(400, String.valueOf(e.getMessage()));
    }
    return answer(List.of(half), verdicts -> one.of(verdicts.get(0)));
  }

  private interface All {
    Reply of(List<Verdict> verdicts);
  }

  private Reply answer(List<HalfKey> keys, All all) {
    String business = keys.get(0).business();
    CheckBack checkBack = byBusiness.apply(business);
    if (checkBack == null) {
      return error(404, "nobody here answers for business '" + PrintableExcerpt.of(business) + "'");
    }
    try {
      List<Verdict> verdicts = checkBack.checkAll(keys);
      if (verdicts.size() == keys.size()) {
        return all.of(verdicts);
      }
      LOG.warn(
          "The check-back of {} gave {} verdicts for {} keys; it is asked again",
          business,
          verdicts.size(),
          keys.size());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      LOG.warn(
          "The check-back of {} failed for {} keys, the first one {}; it is asked again",
          business,
          keys.size(),
          keys.get(0),
          e);
    }
    return error(503, "it cannot be found out now; the log of this service says why");
  }

  private static Reply error(int status, String detail) {
    return new Reply(status, CheckBackJson.error(detail));
  }
}
