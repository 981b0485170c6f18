package io.angarium.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.angarium.Destination;
import io.angarium.intake.StoredMessage;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.RocketServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.ServerOptions;
import io.angarium.testtransports.Messages;
import io.angarium.testtransports.Results;
import io.angarium.transport.SendResult;
import io.angarium.transport.SendResult.Unavailable;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A broker that wants to know who sends. */
@RequiresServer(Server.ROCKETMQ)
class RocketCredentialsTest {
  private static final String TOPIC = "guarded";
  private static final String PROVIDER =
      "org.apache.rocketmq.auth.authentication.provider.LocalAuthenticationMetadataProvider";

  /** What the tests' own administrator asks for: to create a topic, to ping, to register. */
  private static final String OPEN_TO_ALL = "17,28,25";

  private static RocketServer server;
  private final Results results = new Results();

  @BeforeAll
  static void start() {
    server =
        RocketServer.start(
            ServerOptions.standard()
                .ownProcess()
                .setting("autoCreateTopicEnable", "false")
                .setting("authenticationEnabled", "true")
                .setting("authenticationMetadataProvider", PROVIDER)
                .setting("authenticationWhitelist", OPEN_TO_ALL)
                .setting(
                    "initAuthenticationUser", "{\"username\":\"shop\",\"password\":\"secret\"}")
                .setting(
                    "innerClientAuthenticationCredentials",
                    "{\"accessKey\":\"shop\",\"secretKey\":\"secret\"}"));
    server.createTopic(TOPIC, 1);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private SendResult sendAs(String accessKey, String secretKey) {
    RocketConfig config =
        RocketConfig.of(server.nameServer())
            .account(accessKey, secretKey)
            .producerGroup("sender-" + secretKey)
            .sendTimeout(Duration.ofSeconds(20))
            .holdMax(Duration.ofSeconds(20));
    StoredMessage message = Messages.of(new Destination("rocketmq", TOPIC), "k", "x");
    try (RocketTransport transport = RocketTransport.open(config)) {
      transport.send(List.of(message), results);
      return results.next().result();
    }
  }

  @Test
  void wrongCredentialsCostNoAttempt() {
    assertThat(sendAs("shop", "secret")).isEqualTo(SendResult.ACKNOWLEDGED);

    assertThat(sendAs("shop", "wrong"))
        .asInstanceOf(type(Unavailable.class))
        .extracting(Unavailable::reason)
        .asString()
        .contains("takes no messages for topic '" + TOPIC + "'");
    assertThat(sendAs("nobody", "secret")).isInstanceOf(Unavailable.class);
  }
}
