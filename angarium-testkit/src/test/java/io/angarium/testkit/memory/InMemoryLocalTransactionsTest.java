package io.angarium.testkit.memory;

import io.angarium.half.local.LocalTransactions;
import io.angarium.testkit.tck.LocalTransactionsFixture;
import io.angarium.testkit.tck.LocalTransactionsTck;
import java.util.List;

public class InMemoryLocalTransactionsTest implements LocalTransactionsTck<List<String>> {
  private final InMemoryLocalTransactions database = new InMemoryLocalTransactions();

  @Override
  public LocalTransactionsFixture<List<String>> fixture() {
    return new LocalTransactionsFixture<>() {
      @Override
      public LocalTransactions<List<String>> local() {
        return database;
      }

      @Override
      public LocalTransactions<List<String>> another() {
        return database;
      }

      @Override
      public void write(List<String> transaction, String line) {
        transaction.add(line);
      }

      @Override
      public List<String> written() {
        return database.written();
      }

      @Override
      public void close() {
        // nothing is held
      }
    };
  }
}
