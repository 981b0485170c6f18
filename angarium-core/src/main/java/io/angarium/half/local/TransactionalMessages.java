package io.angarium.half.local;

import io.angarium.half.CheckBack;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessage;
import io.angarium.half.HalfMessages;
import io.angarium.half.HalfState;
import io.angarium.half.Marker;
import io.angarium.half.RefusedStepException;
import io.angarium.half.Verdict;
import java.net.URI;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends a message if, and only if, a local transaction commits, where the half messages are in
 * another database or on a server: prepares the message, runs the transaction with a marker of the
 * same business and key, then commits the message or rolls it back. Whatever is lost on the way is
 * made up by a check-back that asks {@link #checkBack}. Thread-safe.
 *
 * @param <C> what gives access to a local transaction, e.g. a JDBC connection
 */
public final class TransactionalMessages<C> {
  private static final Logger LOG = LoggerFactory.getLogger(TransactionalMessages.class);

  private final HalfMessages half;
  private final LocalTransactions<C> local;
  private final @Nullable URI checkBack;

  /**
   * Creates it.
   *
   * @param half where the messages are prepared
   * @param local the database of the business data
   */
  public TransactionalMessages(HalfMessages half, LocalTransactions<C> local) {
    this(half, local, null);
  }

  /**
   * Creates it with the address of the check-back.
   *
   * @param checkBack where messages that name no address themselves are asked for, see {@link
   *     HalfMessage#checkBack}; null for none
   */
  public TransactionalMessages(
      HalfMessages half, LocalTransactions<C> local, @Nullable URI checkBack) {
    this.half = half;
    this.local = local;
    this.checkBack = checkBack;
  }

  /**
   * Sends a message if work commits. Call it outside of any transaction: it blocks for the half
   * message, then runs the work in a local transaction of its own. Not being able to tell the
   * outcome is no error, as it is asked for.
   *
   * @param message with a key that is new, as nothing may happen twice under one key
   * @return the result of the work, when its transaction has committed
   * @throws io.angarium.InvalidMessageException if the message breaks a limit; the work was not
   *     called
   * @throws RefusedStepException if a message of that key was rolled back before; likewise
   * @throws io.angarium.StoreException if the message cannot be prepared now, likewise; or if the
   *     local database cannot be reached or refuses, the transaction is rolled back then
   * @throws MarkerTakenException if it was asked for before the work began, and so ruled out; or if
   *     the work of this key has committed before. The work was not called
   * @throws X what the work threw; the local transaction is rolled back and nothing is delivered,
   *     unless another call with this key commits or has committed
   * @throws OutcomeUnknownException if committing failed; the message is delivered if, and only if,
   *     the commit took effect
   */
  public <T extends @Nullable Object, X extends Exception> T send(
      HalfMessage message, LocalWork<C, T, X> work) throws X {
    HalfKey key = message.key();
    Marker marker = marker(key);
    if (half.prepare(addressed(message)) == HalfState.COMMITTED) {
      throw new MarkerTakenException(marker, Verdict.COMMITTED);
    }
    T result;
    try {
      result = local.run(marker, work);
    } catch (OutcomeUnknownException e) {
      throw e; // the check-back finds out
    } catch (Exception e) {
      // This call has failed; another one with the same key may be open, or have committed.
      tell(key, () -> local.check(marker));
      throw e;
    }
    tell(key, () -> Verdict.COMMITTED);
    return result;
  }

  private HalfMessage addressed(HalfMessage message) {
    return message.checkBack() == null ? message.checkBack(checkBack) : message;
  }

  private static Marker marker(HalfKey key) {
    return new Marker(key.business(), key.key());
  }

  private void tell(HalfKey key, Supplier<Verdict> outcome) {
    Verdict verdict = Verdict.UNREACHABLE;
    try {
      verdict = outcome.get();
      if (verdict == Verdict.COMMITTED) {
        half.commit(key);
      } else if (verdict == Verdict.ROLLED_BACK) {
        half.rollback(key);
      }
    } catch (RefusedStepException e) {
      LOG.error(
          "Half message {} cannot follow its transaction, which is {}: {}. Somebody has decided"
              + " otherwise, or it was forgotten; repair it by hand",
          key,
          verdict,
          e.getMessage());
    } catch (RuntimeException e) { // must not look as if the transaction had failed
      LOG.warn(
          "Half message {} was not told that its transaction is {}; it is asked for: {}",
          key,
          verdict,
          e.getMessage());
    }
  }

  /**
   * Answers check-backs from the markers, with nothing to write for it. Only for businesses whose
   * messages are sent by {@link #send}: any other would be answered "rolled back", for no
   * transaction has its marker.
   */
  public CheckBack checkBack() {
    return local.checkBack();
  }
}
