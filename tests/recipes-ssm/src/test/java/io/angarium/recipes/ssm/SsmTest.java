package io.angarium.recipes.ssm;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.Delivery;
import io.angarium.testservers.RabbitServer;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.SharedServers;
import io.angarium.testservers.TestDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

@RequiresServer({Server.MARIADB, Server.RABBITMQ})
class SsmTest {
  private static final int OK = 200;

  private final TestDatabase database = SharedServers.mariaDb().freshDatabase();
  private final RabbitServer rabbit = SharedServers.rabbit();

  @Test
  void ordersThatCommitAreSentAndOthersAreNot(@TempDir Path folder) throws Exception {
    database.execute(
        """
        CREATE TABLE `order` (
          id BIGINT PRIMARY KEY AUTO_INCREMENT,
          user_id BIGINT NOT NULL,
          amount DECIMAL(10,2) NOT NULL)
        """);
    Map<String, Object> properties =
        Map.of(
            "jdbc.url", database.url(),
            "jdbc.username", database.user(),
            "jdbc.password", database.password(),
            "rabbitmq.uri", rabbit.uri());
    ConnectionFactory factory = new ConnectionFactory();
    factory.setUri(rabbit.uri());

    try (Connection connection = factory.newConnection("test");
        Channel channel = connection.createChannel();
        WebServer shop = WebServer.start(folder, properties)) {
      BlockingQueue<Delivery> arrived = receive(channel);

      createAndRollBack(shop);
      assertThat(post(shop, "user=2&amount=20.5")).isEqualTo(OK);

      Delivery message = arrived.poll(1, TimeUnit.MINUTES);
      assertThat(message).isNotNull();
      assertThat(new String(message.getBody(), UTF_8)).contains("\"userId\":2", "\"amount\":20.5");
      assertThat(arrived).isEmpty();
    }

    assertThat(database.number("SELECT COUNT(*) FROM `order`")).isEqualTo(1);
    assertThat(database.number("SELECT COUNT(*) FROM outbox")).isZero();
  }

  private static void createAndRollBack(WebServer shop) {
    new TransactionTemplate(shop.bean(PlatformTransactionManager.class))
        .executeWithoutResult(
            status -> {
              create(shop, 1);
              status.setRollbackOnly();
            });
  }

  private static void create(WebServer shop, long user) {
    Order order = new Order();
    order.setUserId(user);
    try {
      shop.bean(OrderService.class).createOrder(order);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static BlockingQueue<Delivery> receive(Channel channel) throws IOException {
    BlockingQueue<Delivery> arrived = new LinkedBlockingQueue<>();
    channel.exchangeDeclare("order_exchange", "direct", true);
    channel.queueDeclare("order_queue", true, false, false, null);
    channel.queueBind("order_queue", "order_exchange", "order.created");
    channel.basicConsume("order_queue", true, (tag, delivery) -> arrived.add(delivery), tag -> {});
    return arrived;
  }

  private static int post(WebServer shop, String parameters)
      throws IOException, InterruptedException {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(
                    URI.create("http://127.0.0.1:" + shop.port() + "/orders?" + parameters))
                .POST(HttpRequest.BodyPublishers.noBody())
                .build(),
            HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }
}
