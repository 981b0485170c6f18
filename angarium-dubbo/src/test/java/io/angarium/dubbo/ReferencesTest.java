package io.angarium.dubbo;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.dubbo.References.Loan;
import io.angarium.half.internal.remote.DubboAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReferencesTest {
  private final List<String> connected = new ArrayList<>();
  private final References<Connection> references =
      new References<>(
          2,
          address -> {
            connected.add(address.origin());
            return new Connection(address.origin());
          });

  private record Connection(String to) implements AutoCloseable {
    @Override
    public void close() {
      // holds nothing
    }
  }

  private static DubboAddress address(String host) {
    return DubboAddress.parse("dubbo://" + host + ":1").orElseThrow();
  }

  private Loan<Connection> borrow(String host) {
    return references.borrow(address(host));
  }

  private List<String> use(String host) {
    return giveBack(borrow(host));
  }

  private List<String> giveBack(Loan<Connection> loan) {
    return references.giveBack(loan).stream().map(Connection::to).toList();
  }

  @Test
  void oneAddressIsConnectedToOnce() {
    use("a");
    use("a");

    assertThat(connected).containsExactly("dubbo://a:1");
  }

  @Test
  void otherVersionOfAProducerIsAnotherReference() {
    references.borrow(DubboAddress.parse("dubbo://a:1?version=1").orElseThrow());
    references.borrow(DubboAddress.parse("dubbo://a:1?version=2").orElseThrow());

    assertThat(connected).hasSize(2);
  }

  @Test
  void beyondTheLimitTheOneGoesThatWasNotUsedForLongest() {
    assertThat(use("a")).isEmpty();
    assertThat(use("b")).isEmpty();
    assertThat(use("a")).isEmpty();

    assertThat(use("c")).containsExactly("dubbo://b:1");
    assertThat(references.size()).isEqualTo(2);
  }

  @Test
  void oneInUseStaysUntilItIsGivenBack() {
    Loan<Connection> first = borrow("a");
    Loan<Connection> second = borrow("a");
    Loan<Connection> other = borrow("b");
    Loan<Connection> third = borrow("c");

    assertThat(giveBack(first)).isEmpty();
    assertThat(giveBack(second)).containsExactly("dubbo://a:1");
    assertThat(giveBack(third)).isEmpty();
    assertThat(giveBack(other)).isEmpty();
  }

  @Test
  void forgottenOneIsConnectedToAnewAndEndsWithItsLastUse() {
    Loan<Connection> broken = borrow("a");
    Loan<Connection> same = borrow("a");
    references.forget(broken);
    references.forget(same);

    Loan<Connection> anew = borrow("a");

    assertThat(connected).hasSize(2);
    assertThat(giveBack(broken)).isEmpty();
    assertThat(giveBack(same)).containsExactly("dubbo://a:1");
    assertThat(giveBack(anew)).isEmpty();
    assertThat(references.size()).isOne();
  }
}
