package io.angarium.dubbo;

import io.angarium.half.internal.remote.DubboAddress;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The connections that are kept, one for each address. Beyond a limit the one goes that was not
 * used for longest and is not in use. Thread-safe.
 *
 * @param <T> what is kept
 */
final class References<T extends AutoCloseable> {
  private final int max;
  private final Function<DubboAddress, T> connect;
  private final Map<DubboAddress, Loan<T>> byAddress = new LinkedHashMap<>(16, 0.75f, true);

  /** A connection in use. */
  static final class Loan<T> {
    private final DubboAddress address;
    private final T reference;
    private int users;
    private boolean kept = true;

    private Loan(DubboAddress address, T reference) {
      this.address = address;
      this.reference = reference;
    }

    T reference() {
      return reference;
    }
  }

  References(int max, Function<DubboAddress, T> connect) {
    this.max = max;
    this.connect = connect;
  }

  /** Gets one for use; {@link #giveBack} must follow. */
  synchronized Loan<T> borrow(DubboAddress address) {
    Loan<T> loan =
        byAddress.computeIfAbsent(address, absent -> new Loan<>(absent, connect.apply(absent)));
    loan.users++;
    return loan;
  }

  /** Has the next use of its address connect anew; those who use this one go on. */
  synchronized void forget(Loan<T> loan) {
    if (loan.kept) {
      byAddress.remove(loan.address);
      loan.kept = false;
    }
  }

  /**
   * Ends a use.
   *
   * @return those that are not kept any longer: close them
   */
  synchronized List<T> giveBack(Loan<T> loan) {
    loan.users--;
    List<T> surplus = new ArrayList<>();
    if (!loan.kept && loan.users == 0) {
      surplus.add(loan.reference);
    }
    Iterator<Loan<T>> eldestFirst = byAddress.values().iterator();
    while (byAddress.size() > max && eldestFirst.hasNext()) {
      Loan<T> each = eldestFirst.next();
      if (each.users == 0) {
        each.kept = false;
        surplus.add(each.reference);
        eldestFirst.remove();
      }
    }
    return surplus;
  }

  synchronized int size() {
    return byAddress.size();
  }
}
