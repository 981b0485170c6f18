package io.angarium.spring.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.test.context.TestPropertySource;

/**
 * Lets a test say what the application published, without a broker and without tables of the
 * outbox. Add it to a test with {@code @SpringBootTest}, or with a slice that has a data source,
 * such as {@code @JdbcTest}, {@code @DataJdbcTest} or {@code @DataJpaTest}:
 *
 * <pre>{@code
 * @SpringBootTest
 * @AutoConfigureTestOutbox
 * class ShopTest {
 *   @Autowired Shop shop;
 *   @Autowired PublishedMessages published;
 *
 *   @Test
 *   void paidOrderIsTold() {
 *     published.during(() -> shop.pay("4711"))
 *         .containsExactly(ExpectedMessage.to("kafka:orders").key("4711").type("order-paid"));
 *   }
 * }
 * }</pre>
 *
 * <p>Every {@link io.angarium.spring.SpringOutbox} refuses what it always refuses, and takes part
 * in the transaction. Once a transaction has committed, the bean {@link
 * io.angarium.testkit.PublishedMessages} keeps what it sent. The bean is emptied before each test
 * method. No relay and no transport runs. The only threads of Angarium belong to an inbox on Redis,
 * if one is switched on.
 *
 * <p>A test method with {@code @Transactional}, as slices have it, is rolled back at its end. It
 * publishes nothing, unless it ends its transaction itself with {@code TestTransaction}.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ImportAutoConfiguration
@TestPropertySource(
    properties = {
      // nothing is relayed, so no broker is connected or asked for
      "angarium.relay.enabled=false",
      "angarium.rocketmq.transactions.enabled=false",
      // the condition on this property takes "false" for absent
      "angarium.confirmation.report-to=false",
      // nothing is confirmed, and a slice has no web server to map it in
      "angarium.confirmation.destinations=",
      "angarium.confirmation.receipts-endpoint.enabled=false",
      // nothing is written
      "angarium.jdbc.schema-mode=none",
      "angarium.inbox.rotation=false",
      "angarium.reconciliation.enabled=false"
    })
public @interface AutoConfigureTestOutbox {}
