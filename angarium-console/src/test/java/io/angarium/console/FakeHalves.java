package io.angarium.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.angarium.Message;
import io.angarium.half.CheckAnswer;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessage;
import io.angarium.half.Verdict;
import io.angarium.half.check.CheckBackTrial;
import io.angarium.half.decide.HalfMessageDesk;
import io.angarium.testkit.ManualClock;
import io.angarium.testkit.memory.InMemoryCheckStore;
import io.angarium.testkit.memory.InMemoryHalfMessageDesk;
import io.angarium.testkit.memory.InMemoryHalfMessages;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Half messages in memory, and a producer that answers at once. Not thread-safe. */
final class FakeHalves implements CheckBackTrial {
  static final String SHOP = "https://user:secret@shop.example.com/check";

  final HalfMessageDesk desk;
  final List<String> asked = new ArrayList<>();
  CheckAnswer answer = CheckAnswer.of(Verdict.COMMITTED);
  private final InMemoryHalfMessages half;

  FakeHalves(ManualClock clock) {
    half = new InMemoryHalfMessages(clock);
    desk = new InMemoryHalfMessageDesk(half, new InMemoryCheckStore(half, clock), clock);
  }

  void prepare(String business, String key, String destination) {
    half.prepare(
        HalfMessage.of(new HalfKey(business, key), Message.of(destination, key.getBytes(UTF_8)))
            .checkBack(URI.create(SHOP)));
  }

  @Override
  public CheckAnswer tryOut(HalfKey key, @Nullable String address) {
    asked.add(key + " at " + address);
    return answer;
  }
}
