package io.angarium.testkit.tck;

import io.angarium.Message;
import io.angarium.intake.CommittedMessages;
import io.angarium.intake.NewMessage;
import io.angarium.testkit.tck.StoreFixture.OpenTransaction;
import java.util.List;
import java.util.function.UnaryOperator;

/** A transaction in which a mutant replaces a method. */
class PlantedTransaction implements OpenTransaction {
  private final OpenTransaction real;

  PlantedTransaction(OpenTransaction real) {
    this.real = real;
  }

  /** Writes other messages than it is given. */
  static OpenTransaction changing(OpenTransaction real, UnaryOperator<Message> change) {
    return new PlantedTransaction(real) {
      @Override
      public void insert(List<NewMessage> messages) {
        super.insert(
            messages.stream()
                .map(m -> new NewMessage(m.id(), m.partition(), change.apply(m.message())))
                .toList());
      }
    };
  }

  /** Commits each insert by itself. */
  static OpenTransaction committing(OpenTransaction real) {
    return new PlantedTransaction(real) {
      @Override
      public void insert(List<NewMessage> messages) {
        super.insert(messages);
        super.commit();
      }

      @Override
      public void commit() {
        // done
      }

      @Override
      public void rollback() {
        // too late
      }
    };
  }

  /** Hands over without a word about where it wrote. */
  static OpenTransaction ofNoSource(OpenTransaction real) {
    return new PlantedTransaction(real) {
      @Override
      public CommittedMessages written() {
        return CommittedMessages.of(super.written().keyless(), null);
      }
    };
  }

  /** Commits where it should roll back. */
  static OpenTransaction neverRolledBack(OpenTransaction real) {
    return new PlantedTransaction(real) {
      @Override
      public void rollback() {
        super.commit();
      }
    };
  }

  @Override
  public void insert(List<NewMessage> messages) {
    real.insert(messages);
  }

  @Override
  public void writeElsewhere() {
    real.writeElsewhere();
  }

  @Override
  public void commit() {
    real.commit();
  }

  @Override
  public CommittedMessages written() {
    return real.written();
  }

  @Override
  public void rollback() {
    real.rollback();
  }

  @Override
  public void close() {
    real.close();
  }
}
