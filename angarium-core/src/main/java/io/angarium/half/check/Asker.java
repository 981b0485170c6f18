package io.angarium.half.check;

import io.angarium.half.CheckAnswer;
import io.angarium.half.CheckBack;
import io.angarium.half.HalfKey;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/** How one endpoint is asked. Thread-safe. */
interface Asker {
  /** How many keys one question may have. */
  int keysMax();

  /** Asks for keys of one business. May break every promise. */
  CompletionStage<List<CheckAnswer>> ask(List<HalfKey> keys);

  /** One that always answers the same. */
  static Asker unreachable(String reason) {
    return new Asker() {
      @Override
      public int keysMax() {
        return CheckStore.BATCH_MAX;
      }

      @Override
      public CompletionStage<List<CheckAnswer>> ask(List<HalfKey> keys) {
        return CompletableFuture.completedFuture(CheckAnswer.unreachable(keys.size(), reason));
      }
    };
  }

  /** One over a protocol. */
  static Asker remote(CheckBackTransport transport, URI address) {
    return new Asker() {
      @Override
      public int keysMax() {
        return Math.max(1, Math.min(CheckStore.BATCH_MAX, transport.keysMax()));
      }

      @Override
      public CompletionStage<List<CheckAnswer>> ask(List<HalfKey> keys) {
        return transport.ask(address, keys);
      }
    };
  }

  /** One in this process. */
  static Asker local(CheckBack checkBack, Executor threads, int keysMax) {
    return new Asker() {
      @Override
      public int keysMax() {
        return keysMax;
      }

      @Override
      public CompletionStage<List<CheckAnswer>> ask(List<HalfKey> keys) {
        return CompletableFuture.supplyAsync(() -> answers(checkBack, keys), threads);
      }
    };
  }

  private static List<CheckAnswer> answers(CheckBack checkBack, List<HalfKey> keys) {
    try {
      return checkBack.checkAll(keys).stream().map(CheckAnswer::of).toList();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return CheckAnswer.unreachable(keys.size(), "the check-back was interrupted");
    } catch (Exception e) {
      return CheckAnswer.unreachable(keys.size(), "the check-back failed: " + e);
    }
  }
}
