package io.angarium.messagecentre.orders;

import io.angarium.TypedPayloads;
import io.angarium.half.CheckBack;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessage;
import io.angarium.half.HalfMessages;
import io.angarium.half.Verdict;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Gives money back, with the calls by hand and a check-back of its own: the name of the bean is the
 * business id that it answers for. It is exact because refunds are made by this process only; with
 * several, use the marker. Thread-safe.
 */
@Service("order-refunded")
public class Refunds implements CheckBack {
  private static final String BUSINESS = "order-refunded";

  private final HalfMessages half;
  private final TypedPayloads types;
  private final TransactionTemplate transactions;
  private final JdbcClient jdbc;
  private final Trouble trouble;
  private final URI checkBack;
  private final Set<Long> underWay = ConcurrentHashMap.newKeySet();

  Refunds(
      HalfMessages half,
      TypedPayloads types,
      TransactionTemplate transactions,
      JdbcClient jdbc,
      Trouble trouble,
      @Value("${angarium.half.check-back-endpoint.address}") URI checkBack) {
    this.half = half;
    this.types = types;
    this.transactions = transactions;
    this.jdbc = jdbc;
    this.trouble = trouble;
    this.checkBack = checkBack;
  }

  /**
   * Gives the money of a paid order back. What fails on the way is asked for. A second one of the
   * same order is refused meanwhile: it must not take the mark of the first.
   *
   * @param wanted what the demonstration wants to go wrong
   */
  public void refund(long order, Trouble.Kind wanted) {
    HalfKey key = new HalfKey(BUSINESS, Long.toString(order));
    if (!underWay.add(order)) {
      throw new IllegalStateException("A refund of order " + order + " is under way");
    }
    try {
      half.prepare(
          HalfMessage.of(
                  key,
                  types
                      .toMessage("http:ledger", new OrderRefunded(order))
                      .key(Long.toString(order)))
              .checkBack(checkBack));
      transactions.executeWithoutResult(status -> giveBack(order, wanted));
      half.commit(key);
    } finally {
      underWay.remove(order);
    }
  }

  private void giveBack(long order, Trouble.Kind wanted) {
    int changed =
        jdbc.sql("UPDATE orders SET state = 'refunded' WHERE id = ? AND state = 'paid'")
            .param(order)
            .update();
    if (changed == 0) {
      throw new IllegalStateException("Order " + order + " is not paid, or refunded already");
    }
    trouble.make(wanted);
  }

  /** What became of a refund; a transaction of a process that died cannot commit any more. */
  @Override
  public Verdict check(HalfKey key) {
    long order = Long.parseLong(key.key());
    if (underWay.contains(order)) {
      return Verdict.IN_FLIGHT;
    }
    return jdbc.sql("SELECT state FROM orders WHERE id = ?")
        .param(order)
        .query(String.class)
        .optional()
        .filter("refunded"::equals)
        .map(refunded -> Verdict.COMMITTED)
        .orElse(Verdict.ROLLED_BACK);
  }
}
