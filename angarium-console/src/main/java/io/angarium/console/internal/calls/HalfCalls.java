package io.angarium.console.internal.calls;

import io.angarium.InvalidMessageException;
import io.angarium.TimeSource;
import io.angarium.console.access.Right;
import io.angarium.console.internal.access.Permits;
import io.angarium.console.internal.http.Answer;
import io.angarium.console.internal.http.ApiRoute;
import io.angarium.console.internal.http.Call;
import io.angarium.console.internal.problem.Problem;
import io.angarium.desk.ActBy;
import io.angarium.desk.AuditEntry;
import io.angarium.half.CheckAnswer;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfState;
import io.angarium.half.HalfStep;
import io.angarium.half.RefusedStepException;
import io.angarium.half.Verdict;
import io.angarium.half.check.CheckBackTrial;
import io.angarium.half.decide.HalfDetails;
import io.angarium.half.decide.HalfMessageDesk;
import io.angarium.half.decide.OperatorDecision;
import io.angarium.internal.ShownAddress;
import io.angarium.internal.UnicodeText;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Half messages that wait for a person. Thread-safe. */
public final class HalfCalls {
  private static final int LIMIT_DEFAULT = 50;
  private static final int LIMIT_MAX = 200;
  private static final Duration OLDER_DEFAULT = Duration.ofMinutes(10);

  /** What the audit says of a question, which changes nothing. */
  private static final String TRY_REASON = "asked from the page";

  /** The longest answer of a producer that is shown, in characters. */
  private static final int TRY_REASON_MAX = 2_000;

  private final Permits permits;

  public HalfCalls(Permits permits) {
    this.permits = permits;
  }

  /** Which list. */
  enum Listed {
    UNRESOLVED,
    UNDECIDED
  }

  /** What a person decides. */
  enum Act {
    COMMIT,
    ROLLBACK,
    RESUME
  }

  /** Which half messages to list. Immutable. */
  record ListRequest(
      @Nullable String list,
      @Nullable String olderThan,
      @Nullable String cursor,
      @Nullable Integer limit) {}

  /** Which one. Immutable. */
  record KeyRequest(@Nullable String business, @Nullable String key) {}

  /** What to decide about which. Immutable. */
  record ActRequest(
      @Nullable String act, @Nullable List<KeyRequest> keys, @Nullable String reason) {}

  /** A half message. Immutable. */
  record Half(
      String number,
      String business,
      String key,
      HalfState state,
      @Nullable String destination,
      @Nullable String address,
      Instant createdAt,
      @Nullable Instant decidedAt,
      HalfDetails.@Nullable Check check) {
    static Half of(HalfDetails details) {
      String destination = details.destination();
      String address = details.address();
      return new Half(
          String.valueOf(details.number()),
          details.key().business(),
          details.key().key(),
          details.state(),
          destination == null ? null : ShownAddress.of(destination),
          address == null ? null : ShownAddress.of(address),
          details.createdAt(),
          details.decidedAt(),
          details.check());
    }
  }

  /** A page. Immutable. */
  record Page(List<Half> items, @Nullable String next) {}

  /** One, and what persons did to it. Immutable. */
  record Viewed(Half half, List<OperatorDecision> acts) {}

  /** One that was decided. Immutable. */
  record Done(String business, String key, HalfState state) {}

  /** One that was not. Immutable. */
  record Refused(String business, String key, String reason) {}

  /** What became of them. Immutable. */
  record Acted(List<Done> done, List<Refused> refused) {}

  /** What a producer answered to a person. Immutable. */
  record Tried(Verdict verdict, @Nullable String reason, long millis) {}

  /** The routes. */
  public List<ApiRoute> routes() {
    return List.of(
        ApiRoute.ask(
            "{db}/half/search",
            Right.VIEW,
            "Lists half messages that wait for a person, or are undecided for long",
            ListRequest.class,
            Page.class,
            this::list),
        ApiRoute.ask(
            "{db}/half/view",
            Right.VIEW,
            "Gives what is known of a half message, and what persons did to it",
            KeyRequest.class,
            Viewed.class,
            this::view),
        ApiRoute.act(
            "POST",
            "{db}/half/acts",
            Right.OPERATE,
            "Commits half messages, rolls them back, or has their producers asked again",
            ActRequest.class,
            Acted.class,
            this::act),
        ApiRoute.act(
            "POST",
            "{db}/half/try",
            Right.OPERATE,
            "Asks the producer of a half message now; whatever it answers, nothing is decided",
            KeyRequest.class,
            Tried.class,
            this::tryOut));
  }

  private static HalfMessageDesk desk(Call call) {
    HalfMessageDesk desk = call.database().half();
    if (desk == null) {
      throw Problem.unknown("database '" + call.database().name() + "' has no half messages");
    }
    return desk;
  }

  private Answer list(Call call) {
    HalfMessageDesk desk = desk(call);
    ListRequest given = call.body(ListRequest.class);
    Listed which =
        given.list() == null ? Listed.UNRESOLVED : Call.choice("list", Listed.class, given.list());
    int limit = given.limit() == null ? LIMIT_DEFAULT : given.limit();
    if (limit < 1 || limit > LIMIT_MAX) {
      throw Problem.invalid("limit: " + limit + " (expected: 1.." + LIMIT_MAX + ")");
    }
    long after = after(given.cursor());
    Duration older = Call.duration("olderThan", given.olderThan(), OLDER_DEFAULT);
    List<HalfDetails> page;
    try {
      page =
          permits.ask(
              () ->
                  which == Listed.UNRESOLVED
                      ? desk.unresolved(after, limit)
                      : desk.undecided(older, after, limit));
    } catch (IllegalArgumentException e) {
      throw Problem.invalid(String.valueOf(e.getMessage()));
    }
    return Answer.of(
        new Page(
            page.stream().filter(each -> may(call, Right.VIEW, each)).map(Half::of).toList(),
            page.size() < limit ? null : String.valueOf(page.get(page.size() - 1).number())));
  }

  private static long after(@Nullable String cursor) {
    if (cursor == null) {
      return 0;
    }
    if (!cursor.matches("\\d{1,18}")) {
      throw Problem.invalid("cursor: (expected: next of the page before)");
    }
    return Long.parseLong(cursor);
  }

  private static boolean may(Call call, Right right, HalfDetails details) {
    return call.operator().mayHalf(right, details.key().business(), details.destination());
  }

  private static HalfKey key(KeyRequest given) {
    if (given.business() == null || given.key() == null) {
      throw Problem.invalid("business or key: none (expected: both)");
    }
    try {
      return new HalfKey(given.business(), given.key());
    } catch (InvalidMessageException | IllegalArgumentException e) {
      throw Problem.invalid(String.valueOf(e.getMessage()));
    }
  }

  private Answer view(Call call) {
    HalfMessageDesk desk = desk(call);
    HalfKey key = key(call.body(KeyRequest.class));
    HalfDetails found = found(call, desk, key, Right.VIEW);
    return Answer.of(new Viewed(Half.of(found), permits.ask(() -> desk.acts(key))));
  }

  private Answer act(Call call) {
    HalfMessageDesk desk = desk(call);
    ActRequest given = call.body(ActRequest.class);
    Act act = Call.choice("act", Act.class, given.act());
    ActBy by = call.actBy(given.reason(), null);
    List<KeyRequest> keys = given.keys() == null ? List.of() : given.keys();
    if (keys.isEmpty() || keys.size() > LIMIT_MAX) {
      throw Problem.invalid("keys: " + keys.size() + " (expected: 1.." + LIMIT_MAX + ")");
    }
    List<Done> done = new ArrayList<>();
    List<Refused> refused = new ArrayList<>();
    for (HalfKey key : keys.stream().map(HalfCalls::key).distinct().toList()) {
      boolean mine =
          permits
              .ask(() -> desk.find(key))
              .filter(each -> may(call, Right.OPERATE, each))
              .isPresent();
      try {
        if (mine) {
          HalfState state = permits.ask(() -> decided(desk, act, key, by));
          done.add(new Done(key.business(), key.key(), state));
        } else {
          refused.add(new Refused(key.business(), key.key(), "unknown"));
        }
      } catch (RefusedStepException e) {
        refused.add(new Refused(key.business(), key.key(), String.valueOf(e.getMessage())));
      }
    }
    return Answer.of(new Acted(done, refused));
  }

  private Answer tryOut(Call call) {
    HalfMessageDesk desk = desk(call);
    CheckBackTrial trial = call.database().trial();
    if (trial == null) {
      throw Problem.unknown("this process asks no producers; open the console of one that does");
    }
    HalfDetails found = found(call, desk, key(call.body(KeyRequest.class)), Right.OPERATE);
    AuditEntry entry =
        AuditEntry.of(
            call.actBy(TRY_REASON, null), "ask", "half", String.valueOf(found.number()), null);
    permits.ask(
        () -> {
          call.database().desk().audit().note(entry);
          return true;
        });
    long begin = TimeSource.SYSTEM.nanoTime();
    CheckAnswer answer = trial.tryOut(found.key(), found.address());
    long took = TimeSource.SYSTEM.nanoTime() - begin;
    return Answer.of(
        new Tried(
            answer.verdict(),
            answer.reason() == null ? null : UnicodeText.cut(answer.reason(), TRY_REASON_MAX),
            Math.max(1, Duration.ofNanos(took).toMillis())));
  }

  private HalfDetails found(Call call, HalfMessageDesk desk, HalfKey key, Right right) {
    return permits
        .ask(() -> desk.find(key))
        .filter(each -> may(call, right, each))
        .orElseThrow(() -> Problem.unknown("no half message has this business and key"));
  }

  private static HalfState decided(HalfMessageDesk desk, Act act, HalfKey key, ActBy by) {
    HalfStep step =
        switch (act) {
          case COMMIT -> HalfStep.COMMIT;
          case ROLLBACK -> HalfStep.ROLLBACK;
          case RESUME -> HalfStep.RESUME;
        };
    return desk.act(key, step, by.decision().by(), by.decision().reason());
  }
}
