package io.angarium.micrometer;

import io.angarium.Message;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfListener;
import io.angarium.half.HalfMessage;
import io.angarium.half.check.CheckBackConfig;
import io.angarium.half.check.CheckBackLoop;
import io.angarium.testkit.ManualClock;
import io.angarium.testkit.fake.FakeProducers;
import io.angarium.testkit.memory.InMemoryCheckStore;
import io.angarium.testkit.memory.InMemoryHalfMessageDesk;
import io.angarium.testkit.memory.InMemoryHalfMessages;
import java.net.URI;
import java.time.Duration;

/** Half messages in memory, and a loop that asks their producers, driven by hand. */
final class HalfSituation {
  static final String SHOP = "fake://shop";

  final ManualClock clock = ManualClock.create();
  final FakeProducers producers = new FakeProducers();
  final InMemoryHalfMessages half;
  final InMemoryCheckStore store;
  final InMemoryHalfMessageDesk desk;
  final CheckBackLoop loop;

  HalfSituation(HalfListener listener) {
    this.half = new InMemoryHalfMessages(clock, listener);
    this.store = new InMemoryCheckStore(half, clock);
    this.desk = new InMemoryHalfMessageDesk(half, store, clock);
    this.loop =
        CheckBackLoop.builder(half, store)
            .transport(producers)
            .listener(listener)
            .config(CheckBackConfig.DEFAULTS.unknownMax(1))
            .time(clock)
            .build();
  }

  HalfKey prepared(String business, String key) {
    return prepared(business, key, SHOP);
  }

  HalfKey prepared(String business, String key, String address) {
    HalfKey half = new HalfKey(business, key);
    this.half.prepare(
        HalfMessage.of(half, Message.of("fake:orders", new byte[] {1}))
            .checkBack(URI.create(address)));
    return half;
  }

  /** A round after some time. */
  void after(Duration time) {
    clock.advance(time);
    loop.runOnce();
  }
}
