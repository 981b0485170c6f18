package io.angarium.testkit.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.StoreException;
import io.angarium.inbox.Inbox;
import io.angarium.inbox.InboxKey;
import io.angarium.testkit.tck.InboxFixture;
import io.angarium.testkit.tck.InboxTck;
import java.util.List;
import org.junit.jupiter.api.Test;

public class InMemoryInboxTest implements InboxTck<List<String>> {
  private static final InboxKey KEY = InboxKey.of("shop", "1");

  private final InMemoryInbox inbox = new InMemoryInbox();

  @Override
  public InboxFixture<List<String>> fixture() {
    return new InboxFixture<>() {
      @Override
      public Inbox<List<String>> inbox() {
        return inbox;
      }

      @Override
      public Inbox<List<String>> another() {
        return inbox;
      }

      @Override
      public Inbox<List<String>> impatient() {
        return inbox;
      }

      @Override
      public void write(List<String> transaction, String line) {
        transaction.add(line);
      }

      @Override
      public List<String> written() {
        return inbox.written();
      }

      @Override
      public void close() {
        // nothing is held
      }
    };
  }

  @Test
  void canBeTakenAwayAndBroughtBack() {
    inbox.unreachable(true);

    assertThatThrownBy(() -> inbox.process(KEY, writes -> writes.add("a")))
        .isInstanceOf(StoreException.class);
    inbox.unreachable(false);
    assertThat(inbox.process(KEY, writes -> writes.add("b"))).isTrue();

    assertThat(inbox.written()).containsExactly("b");
  }

  @Test
  void commitsNothingThatItIsTakenAwayFrom() {
    assertThatThrownBy(
            () ->
                inbox.process(
                    KEY,
                    writes -> {
                      writes.add("a");
                      inbox.unreachable(true);
                    }))
        .isInstanceOf(StoreException.class);
    inbox.unreachable(false);

    assertThat(inbox.written()).isEmpty();
    assertThat(inbox.process(KEY, writes -> writes.add("b"))).isTrue();
  }

  @Test
  void losesTheAnswerButNotTheCommit() {
    inbox.losingCommitAnswers(true);

    assertThatThrownBy(() -> inbox.process(KEY, writes -> writes.add("a")))
        .isInstanceOf(StoreException.class);
    assertThat(inbox.process(KEY, writes -> writes.add("again"))).isFalse();

    assertThat(inbox.written()).containsExactly("a");
  }
}
