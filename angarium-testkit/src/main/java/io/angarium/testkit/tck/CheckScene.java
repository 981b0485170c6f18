package io.angarium.testkit.tck;

import io.angarium.half.HalfKey;
import io.angarium.half.HalfListener;
import io.angarium.half.check.CheckBackConfig;
import io.angarium.half.check.CheckBackLoop;
import io.angarium.half.check.CheckStore;
import io.angarium.half.check.DueCheck;
import io.angarium.testkit.ManualClock;
import io.angarium.testkit.fake.FakeProducers;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What the tests of check-backs say again and again. */
final class CheckScene implements HalfListener {
  static final Duration AGE = CheckBackConfig.DEFAULTS.pauses().first();
  static final Duration CLAIM = CheckBackConfig.DEFAULTS.claim();

  /** Longer than any pause. */
  static final Duration LONG = Duration.ofDays(1);

  static final String SHOP = "fake://shop";
  static final URI SHOP_URI = URI.create(SHOP);

  private final CheckBackFixture fixture;
  private final ManualClock clock = ManualClock.create();
  final FakeProducers producers = new FakeProducers();
  final List<HalfKey> givenUp = new ArrayList<>();

  CheckScene(CheckBackFixture fixture) {
    this.fixture = fixture;
  }

  /** Prepares a message whose producer is asked at {@link #SHOP}, and makes it old enough. */
  HalfKey aged(String key) {
    return aged(key, SHOP);
  }

  HalfKey aged(String key, String address) {
    HalfKey half = HalfScene.key(key);
    fixture.half().prepare(HalfScene.message(half).checkBack(URI.create(address)));
    pass(AGE.plusSeconds(1));
    return half;
  }

  /** Lets time pass for the list and for the nodes. */
  void pass(Duration time) {
    fixture.pass(time);
    clock.advance(time);
  }

  CheckBackLoop loop() {
    return loop(fixture.store());
  }

  CheckBackLoop loop(CheckStore store) {
    return CheckBackLoop.builder(fixture.half(), store)
        .transport(producers)
        .listener(this)
        .time(clock)
        .build();
  }

  /** The one check that is due. */
  static DueCheck only(CheckStore store) {
    List<DueCheck> due = store.claim(10, CLAIM).checks();
    if (due.size() != 1) {
      throw new AssertionError("due: " + due + " (expected: one)");
    }
    return due.get(0);
  }

  @Override
  public void gaveUp(HalfKey key, int checks) {
    givenUp.add(key);
  }
}
