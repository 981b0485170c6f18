package io.angarium.tests.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.ConfigurationException;
import io.angarium.Message;
import io.angarium.half.CheckBack;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessage;
import io.angarium.half.HalfMessages;
import io.angarium.half.HalfState;
import io.angarium.half.Marker;
import io.angarium.half.Verdict;
import io.angarium.half.local.LocalTransactions;
import io.angarium.half.local.LocalWork;
import io.angarium.half.local.MarkerTakenException;
import io.angarium.spring.autoconfigure.AngariumAutoConfiguration;
import io.angarium.spring.autoconfigure.AngariumHalfAutoConfiguration;
import java.net.URI;
import java.net.http.HttpResponse;
import java.sql.Connection;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The path at which an application is asked for its half messages, on a real web server. */
class CheckBackRouteTest {
  private static final String PATH = "/angarium/check-back";

  private final Database database = Database.h2().withOrders();

  @Configuration(proxyBeanMethods = false)
  static class Answering {
    @Bean
    Payments payments(Orders orders) {
      return new Payments(orders);
    }

    @Bean("parcel-sent")
    CheckBack parcelSent() {
      return key -> key.key().equals("1") ? Verdict.COMMITTED : Verdict.UNKNOWN;
    }
  }

  private Shop shop() {
    return Shop.on(database)
        .withoutJpa()
        .with(Styles.Jdbc.class)
        .with(Answering.class)
        .onTheWeb()
        .with("angarium.half.enabled=true");
  }

  private Shop switchedOn() {
    return shop().with("angarium.half.check-back-endpoint.enabled=true");
  }

  private Shop answering() {
    return switchedOn().with("angarium.half.check-back-endpoint.unsigned=true");
  }

  private static String question(String business, String keys) {
    return "{\"business\":\"" + business + "\",\"keys\":[" + keys + "]}";
  }

  @Test
  void markersAnswerForMethodsAndBeansForTheirName() throws Exception {
    try (ConfigurableApplicationContext context = answering().start()) {
      Payments payments = context.getBean(Payments.class);
      payments.pay(1);

      HttpResponse<String> paid = Web.post(context, PATH, question("order-paid", "\"1\",\"2\""));
      HttpResponse<String> sent = Web.post(context, PATH, question("parcel-sent", "\"1\",\"2\""));

      assertThat(paid.statusCode()).isEqualTo(200);
      assertThat(paid.headers().firstValue("content-type")).contains("application/json");
      assertThat(paid.body()).isEqualTo("{\"verdicts\":[\"COMMITTED\",\"ROLLED_BACK\"]}");
      assertThat(sent.body()).isEqualTo("{\"verdicts\":[\"COMMITTED\",\"UNKNOWN\"]}");
      // what was ruled out cannot commit any more
      assertThatThrownBy(() -> payments.pay(2)).isInstanceOf(MarkerTakenException.class);
      assertThat(database.orders()).containsExactly(1L);
    }
  }

  /** As all that Spring MVC serves. */
  @Test
  void thePathIsBelowThatOfSpringMvc() throws Exception {
    String secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    try (ConfigurableApplicationContext context =
        switchedOn()
            .with("angarium.half.check-back-endpoint.secrets=" + secret)
            .with("server.servlet.context-path=/shop")
            .with("spring.mvc.servlet.path=/api")
            .start()) {
      String below = "/shop/api" + PATH;

      assertThat(Web.post(context, PATH, question("parcel-sent", "\"1\"")).statusCode()).isEqualTo(404);
      assertThat(Web.post(context, below, question("parcel-sent", "\"1\"")).statusCode()).isEqualTo(401);
      assertAskedAt(context, below, secret);
    }
  }

  @Test
  void aBeanGoesBeforeTheMarkers() throws Exception {
    try (ConfigurableApplicationContext context =
        answering()
            .with("shop.business=parcel-sent")
            .with("angarium.half.check.markers=parcel-sent")
            .start()) {
      assertThat(Web.post(context, PATH, question("parcel-sent", "\"2\"")).body())
          .isEqualTo("{\"verdicts\":[\"UNKNOWN\"]}");
    }
  }

  @Test
  void whatIsNoQuestionIsRefused() throws Exception {
    try (ConfigurableApplicationContext context =
        answering().with("angarium.half.check-back-endpoint.path=/asked").start()) {
      assertThat(Web.post(context, "/asked", "{}").statusCode()).isEqualTo(400);
      assertThat(Web.post(context, "/asked", question("unknown", "\"1\"")).statusCode()).isEqualTo(404);
      assertThat(Web.post(context, "/asked", "x".repeat(600_000)).statusCode()).isEqualTo(413);
      assertThat(Web.post(context, PATH, question("parcel-sent", "\"1\"")).body())
          .doesNotContain("verdicts");
    }
  }

  @Test
  @OnOneBoot
  void withSecretsOnlySignedQuestionsAreAnswered() throws Exception {
    String secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    try (ConfigurableApplicationContext context =
        switchedOn().with("angarium.half.check-back-endpoint.secrets=" + secret).start()) {
      assertThat(Web.post(context, PATH, question("parcel-sent", "\"1\"")).statusCode()).isEqualTo(401);
      assertAskedAt(context, PATH, secret);
    }
  }

  private static void assertAskedAt(
      ConfigurableApplicationContext context, String path, String secret) {
    String host = Web.host(context);
    try (ConfigurableApplicationContext centre = centre(host, secret)) {
      HalfMessages half = centre.getBean(HalfMessages.class);
      HalfKey key = new HalfKey("parcel-sent", "1");
      half.prepare(
          HalfMessage.of(key, Message.of("mailbox:parcels", new byte[] {1}).key("1"))
              .checkBack(URI.create("http://" + host + path)));

      assertThat(centre.getBean(Mailbox.class).next().message().key()).isEqualTo("1");
      assertThat(half.state(key)).isEqualTo(HalfState.COMMITTED);
    }
  }

  /** Asks an application elsewhere. */
  private static ConfigurableApplicationContext centre(String host, String secret) {
    return Shop.on(Database.h2())
        .withoutJpa()
        .with("angarium.half.enabled=true")
        .with("angarium.half.check.first=1s")
        .with("angarium.half.check.min-pause=100ms")
        .with("angarium.half.check.allowed-hosts=" + host)
        .with("angarium.half.check.secrets.[*]=" + secret)
        .start();
  }

  @Test
  @OnOneBoot
  void credentialsOfAnotherFormStopTheStart() {
    assertThatThrownBy(
            Shop.on(Database.h2())
                    .withoutJpa()
                    .with("angarium.half.enabled=true")
                    .with("angarium.half.check.allowed-hosts=pay.example")
                    .with("angarium.half.check.authorizations.[pay.example]=hush  hush")
                ::start)
        .rootCause()
        .hasMessageContaining("angarium.half.check.authorizations.pay.example: its value")
        .hasMessageNotContaining("hush");
  }

  @Test
  @OnOneBoot
  void withoutTheSwitchNobodyIsAnswered() throws Exception {
    try (ConfigurableApplicationContext context = shop().start()) {
      assertThat(Web.post(context, PATH, question("parcel-sent", "\"1\"")).statusCode()).isEqualTo(404);
    }
  }

  @Test
  @OnOneBoot
  void switchedOffByAnyWordNobodyIsAnswered() throws Exception {
    try (ConfigurableApplicationContext context =
        shop().with("angarium.half.check-back-endpoint.enabled=no").start()) {
      assertThat(Web.post(context, PATH, question("parcel-sent", "\"1\"")).statusCode())
          .isEqualTo(404);
    }
  }

  @Test
  void whatIsMissingForTheEndpointStopsTheStart() {
    String enabled = "angarium.half.check-back-endpoint.enabled: true (expected: false, ";

    assertThat(WrongConfigurationTest.faults(answering().without("io.angarium.http.")))
        .containsExactly(enabled + "or angarium-http on the class path)");
    assertThat(
            WrongConfigurationTest.faults(answering().without("org.springframework.web.servlet.")))
        .containsExactly(enabled + "or Spring MVC on the class path)");
    assertThat(WrongConfigurationTest.faults(offTheWeb()))
        .singleElement()
        .asString()
        .startsWith(enabled + "or a web application of servlets")
        .contains("spring.main.web-application-type", "the bean of CheckBackEndpoint");
    assertThat(
            WrongConfigurationTest.faults(
                offTheWeb().with("angarium.enabled=false").with("angarium.inbox.enabled=true")))
        .contains(enabled + "as there is no outbox, and so no half message)");
  }

  private static Shop offTheWeb() {
    return Shop.on(Database.h2())
        .withoutJpa()
        .with("angarium.half.enabled=true")
        .with("angarium.half.check-back-endpoint.enabled=true")
        .with("angarium.half.check-back-endpoint.unsigned=true");
  }

  @Test
  void aReactiveWebApplicationHasNothingToMapThePathIn() {
    new ReactiveWebApplicationContextRunner()
        .withBean(DataSource.class, database::dataSource)
        .withConfiguration(
            AutoConfigurations.of(AngariumAutoConfiguration.class, AngariumHalfAutoConfiguration.class))
        .withPropertyValues(
            "angarium.jdbc.schema-mode=create",
            "angarium.relay.enabled=false",
            "angarium.half.enabled=true",
            "angarium.half.check-back-endpoint.enabled=true",
            "angarium.half.check-back-endpoint.unsigned=true")
        .run(
            context ->
                assertThat(context)
                    .getFailure()
                    .rootCause()
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("or a web application of servlets"));
  }

  @Test
  @OnOneBoot
  void strangersAreAnsweredOnlyWhereThatIsSaid() {
    assertThatThrownBy(switchedOn()::start)
        .rootCause()
        .hasMessageContaining("angarium.half.check-back-endpoint.secrets: none")
        .hasMessageContaining("angarium.half.check-back-endpoint.unsigned=true");
    assertThatThrownBy(
            switchedOn().with("angarium.half.check-back-endpoint.secrets=${NO_SECRET:}")::start)
        .rootCause()
        .hasMessageContaining(
            "angarium.half.check-back-endpoint.secrets: none (expected: at least one)");
    assertThatThrownBy(answering().with("angarium.half.check-back-endpoint.secrets=")::start)
        .rootCause()
        .hasMessageContaining("angarium.half.check-back-endpoint.unsigned: true");
  }

  /** Of a database that is not the one of the outbox. */
  static class Elsewhere implements LocalTransactions<Connection> {
    @Override
    public <T extends @Nullable Object, X extends Exception> T run(
        Marker marker, LocalWork<Connection, T, X> work) {
      throw new UnsupportedOperationException("not called here");
    }

    @Override
    public Verdict check(Marker marker) {
      return Verdict.COMMITTED;
    }
  }

  @Test
  void methodsAreAnsweredFromTheDatabaseInWhichTheyRun() throws Exception {
    try (ConfigurableApplicationContext context = answering().with(Elsewhere.class).start()) {
      assertThat(Web.post(context, PATH, question("order-paid", "\"1\"")).body())
          .isEqualTo("{\"verdicts\":[\"COMMITTED\"]}");
    }
  }

  @Test
  @OnOneBoot
  void messagesOfMethodsOnAServerNeedAnAddress() {
    Shop onServer = shop().with("angarium.half.http.server=http://127.0.0.1:1");

    assertThatThrownBy(onServer::start)
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("angarium.half.check-back-endpoint.address: none")
        .hasMessageContaining("@TransactionalMessage: order-paid");

    onServer.with("angarium.half.check-back-endpoint.address=http://127.0.0.1/asked");
    try (ConfigurableApplicationContext context = onServer.start()) {
      assertThat(context.isRunning()).isTrue();
    }
  }

  @Test
  @OnOneBoot
  void wrongPropertiesOfTheEndpointAreListedTogether() {
    Shop wrong =
        switchedOn()
            .with("angarium.half.check-back-endpoint.path=check-back/**")
            .with("angarium.half.check-back-endpoint.secrets=hush")
            .with("angarium.half.check-back-endpoint.address=orders:8080");

    assertThatThrownBy(wrong::start)
        .rootCause()
        .hasMessageContaining("angarium.half.check-back-endpoint.path: 'check-back/**'")
        .hasMessageContaining("angarium.half.check-back-endpoint.secrets")
        .hasMessageContaining("angarium.half.check-back-endpoint.address: 'orders:8080'")
        .hasMessageNotContaining("hush");
  }
}
