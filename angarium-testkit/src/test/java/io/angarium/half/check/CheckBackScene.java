package io.angarium.half.check;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.angarium.Message;
import io.angarium.half.CheckAnswer;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfListener;
import io.angarium.half.HalfMessage;
import io.angarium.half.Verdict;
import io.angarium.testkit.ManualClock;
import io.angarium.testkit.fake.FakeProducers;
import io.angarium.testkit.memory.InMemoryCheckStore;
import io.angarium.testkit.memory.InMemoryHalfMessages;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Half messages in memory whose producers are asked by a loop without a thread. */
final class CheckBackScene implements HalfListener {
  static final String SHOP = "fake://shop";
  static final Duration MINUTE = Duration.ofMinutes(1);
  static final Duration HOUR = Duration.ofHours(1);

  final ManualClock clock = ManualClock.create();
  final InMemoryHalfMessages half = new InMemoryHalfMessages(clock);
  final InMemoryCheckStore store = new InMemoryCheckStore(half, clock);
  final List<String> heard = new ArrayList<>();
  final List<CheckAnswer> answers = new ArrayList<>();

  static HalfKey key(int number) {
    return new HalfKey("order", "" + number);
  }

  /** Prepares messages 0, 1, … and makes them old enough. */
  List<HalfKey> aged(int count, @Nullable String address) {
    List<HalfKey> keys = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      HalfKey key = key(i);
      Message message = Message.of("kafka:orders", key.key().getBytes(UTF_8));
      half.prepare(
          HalfMessage.of(key, message).checkBack(address == null ? null : URI.create(address)));
      keys.add(key);
    }
    clock.advance(CheckBackConfig.DEFAULTS.pauses().first().plusSeconds(1));
    return keys;
  }

  CheckBackLoop.Builder loop() {
    return CheckBackLoop.builder(half, store).time(clock).listener(this).threads(Runnable::run);
  }

  CheckBackLoop asking(CheckBackTransport transport) {
    return loop().transport(transport).build();
  }

  /** A round, after some time. */
  void after(Duration time, CheckBackLoop loop) {
    clock.advance(time);
    loop.runOnce();
  }

  @Override
  public void checked(HalfKey key, CheckAnswer answer) {
    answers.add(answer);
  }

  @Override
  public void gaveUp(HalfKey key, int checks) {
    heard.add("gave up " + key + " after " + checks);
  }

  @Override
  public void endpointUnreachable(String endpoint, Duration since, String reason) {
    heard.add("unreachable " + endpoint + " (" + reason + ")");
  }

  @Override
  public void endpointReachable(String endpoint) {
    heard.add("reachable " + endpoint);
  }

  @Override
  public void endpointForgotten(String endpoint) {
    heard.add("forgotten " + endpoint);
  }

  /** A transport that answers when the test says so. */
  static final class Pending implements CheckBackTransport {
    final List<List<HalfKey>> asked = new ArrayList<>();
    final List<CompletableFuture<List<CheckAnswer>>> open = new ArrayList<>();
    private final int keysMax;

    Pending(int keysMax) {
      this.keysMax = keysMax;
    }

    /** Answers a question with the same for all of its keys. */
    void answer(int question, Verdict verdict) {
      List<CheckAnswer> answers =
          asked.get(question).stream().map(key -> CheckAnswer.of(verdict)).toList();
      open.get(question).complete(answers);
    }

    @Override
    public Set<String> schemes() {
      return Set.of("fake");
    }

    @Override
    public int keysMax() {
      return keysMax;
    }

    @Override
    public CompletionStage<List<CheckAnswer>> ask(URI address, List<HalfKey> keys) {
      asked.add(keys);
      open.add(new CompletableFuture<>());
      return open.get(open.size() - 1);
    }

    @Override
    public void close() {
      // nothing is held
    }
  }

  /** Where every producer is there, and knows nothing. */
  static FakeProducers producers() {
    return new FakeProducers();
  }
}
