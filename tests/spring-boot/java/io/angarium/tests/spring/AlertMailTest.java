package io.angarium.tests.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.GreenMailUtil;
import com.icegreen.greenmail.util.ServerSetup;
import io.angarium.alert.AlertEngine;
import io.angarium.spring.autoconfigure.internal.run.AlertLifecycle;
import jakarta.mail.MessagingException;
import jakarta.mail.internet.MimeMessage;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/** Alerts by mail, on a mail server that takes them. */
class AlertMailTest {
  private final Database database = Database.h2().withOrders();
  private final GreenMail server =
      new GreenMail(new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_SMTP));

  @BeforeEach
  void start() {
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop();
  }

  private Shop shop() {
    return Shop.on(database)
        .withoutJpa()
        .with(Styles.Jdbc.class)
        .with("angarium.relay.enabled=false")
        .with("angarium.alerts.enabled=true")
        .with("angarium.alerts.system=shop")
        .with("angarium.alerts.link=https://shop.example/console/")
        .with("angarium.alerts.rules.dead-letters.hold=0s")
        .with("angarium.alerts.channels.night.type=mail")
        .with("angarium.alerts.channels.night.to=ada@shop.example,bob@shop.example")
        .with("angarium.alerts.channels.night.from=alerts@shop.example")
        .with("spring.mail.host=127.0.0.1")
        .with("spring.mail.port=" + server.getSmtp().getPort());
  }

  private void oneIsDead() {
    database
        .jdbc()
        .update(
            """
            INSERT INTO outbox_dead (
              id, partition_no, key_hash, blocks_key, attempts, reason, created_at, message_id,
              destination, message_key, headers, payload)
            VALUES (1, 1, 7, FALSE, 2, 'secret reason', CURRENT_TIMESTAMP(6), RANDOM_UUID(),
              'kafka:orders', 'secret key', 'secret:header', X'736563726574')
            """);
  }

  /** It is over when it was not found for a minute. */
  private void noneIsDead(AlertEngine engine) {
    database.jdbc().update("DELETE FROM outbox_dead");
    engine.runOnce();
    database
        .jdbc()
        .update("UPDATE outbox_alert SET absent_since = DATEADD(MINUTE, -1, absent_since)");
    engine.runOnce();
  }

  /** Each one that was sent is there for each of the receivers. */
  private MimeMessage mail(int number) throws MessagingException {
    MimeMessage[] received = server.getReceivedMessages();
    assertThat(received).hasSize(2 * number);
    Map<String, MimeMessage> sent = new LinkedHashMap<>();
    for (MimeMessage each : received) {
      sent.put(each.getMessageID(), each);
    }
    assertThat(sent).hasSize(number);
    return List.copyOf(sent.values()).get(number - 1);
  }

  private static String header(MimeMessage mail, String name) throws MessagingException {
    String value = mail.getHeader(name, null);
    return value == null ? "" : value.replaceAll("\\s+", " ");
  }

  @Test
  void recoveryRepliesToTheMailThatToldTheAlert() throws Exception {
    try (ConfigurableApplicationContext context = shop().start()) {
      AlertEngine engine = context.getBean(AlertLifecycle.class).engine().orElseThrow();
      oneIsDead();
      engine.runOnce();
      MimeMessage told = mail(1);

      noneIsDead(engine);
      MimeMessage recovered = mail(2);

      assertThat(told.getSubject()).isEqualTo("WARNING in shop: dead-letters of outbox");
      assertThat(header(told, "From")).isEqualTo("alerts@shop.example");
      assertThat(header(told, "To")).isEqualTo("ada@shop.example, bob@shop.example");
      assertThat(header(told, "Auto-Submitted")).isEqualTo("auto-generated");
      assertThat(GreenMailUtil.getBody(told))
          .contains("What: Dead letters waiting for a person: 1")
          .contains(
              "Link: https://shop.example/console/?page=alerts&rule=dead-letters&subject=outbox")
          .doesNotContain("secret");
      assertThat(recovered.getSubject())
          .isEqualTo("RECOVERED (warning) in shop: dead-letters of outbox");
      assertThat(header(recovered, "In-Reply-To")).isEqualTo(told.getMessageID());
      assertThat(header(recovered, "References"))
          .startsWith(header(told, "References"))
          .endsWith(told.getMessageID());
      assertThat(recovered.getMessageID()).isNotEqualTo(told.getMessageID());
      assertThat(engine.fault()).isEmpty();
    }
  }

  @Test
  void whatTheMailServerRefusesIsTriedAgain() throws Exception {
    try (ConfigurableApplicationContext context = shop().start()) {
      AlertEngine engine = context.getBean(AlertLifecycle.class).engine().orElseThrow();
      oneIsDead();
      int port = server.getSmtp().getPort();
      server.stop();
      engine.runOnce();
      assertThat(
              database
                  .jdbc()
                  .queryForList(
                      "SELECT failure FROM outbox_alert_notice WHERE channel = 'night'",
                      String.class))
          .containsExactly("the mail was not taken: MailSendException");

      GreenMail again =
          new GreenMail(new ServerSetup(port, "127.0.0.1", ServerSetup.PROTOCOL_SMTP));
      again.start();
      engine.runOnce();

      assertThat(again.getReceivedMessages()).hasSize(2);
      again.stop();
    }
  }

  /** Mail programs would take another mail of the same name for the same mail. */
  @Test
  void mailOfSeveralAlertsHasANameOfItsOwn() throws Exception {
    try (ConfigurableApplicationContext context =
        shop().with("angarium.alerts.rules.dead-rate.threshold=1").start()) {
      AlertEngine engine = context.getBean(AlertLifecycle.class).engine().orElseThrow();
      oneIsDead();
      engine.runOnce();

      MimeMessage both = mail(1);

      assertThat(both.getSubject()).isEqualTo("CRITICAL in shop: 2 alerts");
      assertThat(both.getMessageID()).doesNotEndWith("@angarium.alerts>");
      assertThat(header(both, "References").split(" ")).hasSize(2);
    }
  }
}
