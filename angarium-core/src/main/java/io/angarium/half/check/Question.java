package io.angarium.half.check;

import io.angarium.half.CheckAnswer;
import io.angarium.half.HalfKey;
import io.angarium.half.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A question under way, and its answers. Answered on any thread; looked at by one. */
final class Question {
  private final Endpoint endpoint;
  private final List<DueCheck> checks;
  private final long askedNanos;
  private boolean settled;
  private volatile long answeredNanos;
  private volatile @Nullable List<CheckAnswer> answers;

  Question(Endpoint endpoint, List<DueCheck> checks, long askedNanos) {
    this.endpoint = endpoint;
    this.checks = checks;
    this.askedNanos = askedNanos;
  }

  Endpoint endpoint() {
    return endpoint;
  }

  List<DueCheck> checks() {
    return checks;
  }

  List<HalfKey> keys() {
    return checks.stream().map(DueCheck::key).toList();
  }

  long askedNanos() {
    return askedNanos;
  }

  /** True the first time: then its answers count. */
  boolean settle() {
    boolean first = !settled;
    settled = true;
    return first;
  }

  /** An answer for each check, whatever came. */
  List<CheckAnswer> answers() {
    return Objects.requireNonNull(answers);
  }

  /** True if for so long there was no answer. */
  boolean wasSilent(Duration time) {
    return answers == null || answeredNanos - askedNanos >= time.toNanos();
  }

  /** Takes what an endpoint brought, which may be anything. */
  void answered(
      @Nullable List<CheckAnswer> given, @Nullable Throwable failure, long answeredNanos) {
    this.answeredNanos = answeredNanos;
    answers = checked(given, failure, checks.size());
  }

  /** An answer for each of so many keys, whatever an endpoint brought. */
  static List<CheckAnswer> checked(
      @Nullable List<CheckAnswer> given, @Nullable Throwable failure, int keys) {
    if (failure != null) {
      return CheckAnswer.unreachable(keys, "the check-back failed: " + failure);
    }
    if (given == null) {
      return CheckAnswer.unreachable(keys, "the check-back answered nothing");
    }
    if (given.size() != keys) {
      return CheckAnswer.unreachable(
          keys, "the check-back gave " + given.size() + " answers for " + keys + " keys");
    }
    return given.stream().map(Question::checked).toList();
  }

  @SuppressWarnings("NullableProblems") // who answers may be another's code
  private static CheckAnswer checked(@Nullable CheckAnswer answer) {
    return answer == null || isNull(answer.verdict())
        ? new CheckAnswer(Verdict.UNREACHABLE, "the check-back answered null for this key")
        : answer;
  }

  private static boolean isNull(@Nullable Object value) {
    return value == null;
  }

  List<CheckAnswer> unreachable(String reason) {
    return CheckAnswer.unreachable(checks.size(), reason);
  }
}
