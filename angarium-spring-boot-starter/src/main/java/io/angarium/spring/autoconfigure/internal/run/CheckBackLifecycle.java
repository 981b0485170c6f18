package io.angarium.spring.autoconfigure.internal.run;

import io.angarium.background.BackgroundWork;
import io.angarium.half.CheckAnswer;
import io.angarium.half.HalfKey;
import io.angarium.half.Verdict;
import io.angarium.half.check.CheckBackLoop;
import io.angarium.half.check.CheckBackTrial;
import io.angarium.spring.operate.RelayLifecycle;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

/**
 * Asks for half messages while the application runs. A context that starts again gets a new loop.
 * Thread-safe.
 */
public final class CheckBackLifecycle implements SmartLifecycle, BackgroundWork, CheckBackTrial {
  private final Supplier<CheckBackLoop> loops;
  private volatile @Nullable CheckBackLoop running;

  public CheckBackLifecycle(Supplier<CheckBackLoop> loops) {
    this.loops = loops;
  }

  @Override
  public synchronized void start() {
    if (running == null) {
      CheckBackLoop loop = loops.get();
      loop.start();
      running = loop;
    }
  }

  @Override
  public synchronized void stop() {
    CheckBackLoop loop = running;
    if (loop != null) {
      loop.close();
      running = null;
    }
  }

  @Override
  public synchronized boolean isRunning() {
    return running != null;
  }

  @Override
  public Optional<String> fault() {
    return Optional.ofNullable(running).flatMap(CheckBackLoop::fault);
  }

  @Override
  public CheckAnswer tryOut(HalfKey key, @Nullable String address) {
    CheckBackLoop loop = running;
    return loop == null
        ? new CheckAnswer(Verdict.UNREACHABLE, "the check-backs of this process do not run")
        : loop.tryOut(key, address);
  }

  /** Before the relay stops, so that what is committed last is still sent. */
  @Override
  public int getPhase() {
    return RelayLifecycle.PHASE + 1;
  }
}
