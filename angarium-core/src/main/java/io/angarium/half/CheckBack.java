package io.angarium.half;

import java.util.ArrayList;
import java.util.List;

/**
 * Says what became of the business transactions behind half messages: the producer's side of a
 * check-back. Asked for a half message that was neither committed nor rolled back in time, perhaps
 * several times and by several threads, also while the business transaction runs. Answer {@link
 * Verdict#ROLLED_BACK} only if it can never commit any more. Must be thread-safe; may block.
 */
@FunctionalInterface
public interface CheckBack {
  /**
   * What became of one business transaction.
   *
   * @throws Exception if it cannot be found out now; the same as {@link Verdict#UNREACHABLE}
   */
  Verdict check(HalfKey key) throws Exception;

  /**
   * What became of several, in one question where that is cheaper.
   *
   * @param keys of one business
   * @return a verdict for each, in their order
   * @throws Exception if it cannot be found out now, of none of them
   */
  default List<Verdict> checkAll(List<HalfKey> keys) throws Exception {
    List<Verdict> verdicts = new ArrayList<>(keys.size());
    int failures = 0;
    for (HalfKey key : keys) {
      try {
        verdicts.add(check(key));
      } catch (InterruptedException e) {
        throw e;
      } catch (Exception e) {
        verdicts.add(Verdict.UNREACHABLE);
        failures++;
        if (failures == keys.size()) {
          throw e;
        }
      }
    }
    return verdicts;
  }
}
