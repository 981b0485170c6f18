package io.angarium.messagecentre.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.angarium.TypeNames;
import io.angarium.TypedPayloads;
import io.angarium.half.HalfAnswer;
import io.angarium.half.HalfCall;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessages;
import io.angarium.half.HalfState;
import io.angarium.half.Verdict;
import io.angarium.jackson.Jackson3Codec;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.h2.jdbcx.JdbcDataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.json.JsonMapper;

/** What is answered about a refund while there are two of one order. */
class RefundsTest {
  private static final HalfKey KEY = new HalfKey("order-refunded", "7");

  private final List<Object> seen = new ArrayList<>();
  private final JdbcDataSource database = new JdbcDataSource();
  private final Refunds refunds;

  RefundsTest() {
    database.setURL("jdbc:h2:mem:refunds;DB_CLOSE_DELAY=-1");
    JdbcClient jdbc = JdbcClient.create(database);
    jdbc.sql("CREATE TABLE orders (id BIGINT PRIMARY KEY, state VARCHAR(20) NOT NULL)").update();
    jdbc.sql("INSERT INTO orders VALUES (7, 'paid')").update();
    refunds =
        new Refunds(
            new Meanwhile(),
            new TypedPayloads(
                new Jackson3Codec(new JsonMapper()),
                TypeNames.builder().type("order-refunded", OrderRefunded.class).build()),
            new TransactionTemplate(new DataSourceTransactionManager(database)),
            jdbc,
            new Trouble(),
            URI.create("http://127.0.0.1/asked"));
  }

  /** Before the transaction of the first refund, the second one comes, and the question. */
  private final class Meanwhile implements HalfMessages {
    private @Nullable Throwable second;

    @Override
    public List<HalfAnswer> callAll(List<HalfCall> calls) {
      if (second == null) {
        second = new IllegalStateException("not yet");
        second = catchThrowable(() -> refunds.refund(7, Trouble.Kind.EXCEPTION));
        seen.add(String.valueOf(second));
        seen.add(refunds.check(KEY));
      }
      return calls.stream()
          .map(call -> new HalfAnswer(call.key(), HalfState.PREPARED, null))
          .toList();
    }

    @Override
    public Map<HalfKey, HalfState> states(Collection<HalfKey> keys) {
      throw new UnsupportedOperationException("not called here");
    }
  }

  @Test
  void aSecondRefundDoesNotTakeTheMarkOfTheFirst() {
    refunds.refund(7, Trouble.Kind.NONE);

    assertThat(seen)
        .containsExactly(
            "java.lang.IllegalStateException: A refund of order 7 is under way", Verdict.IN_FLIGHT);
    assertThat(refunds.check(KEY)).isEqualTo(Verdict.COMMITTED);
  }
}
