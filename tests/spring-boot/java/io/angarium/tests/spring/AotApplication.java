package io.angarium.tests.spring;

import io.angarium.Message;
import io.angarium.Outbox;
import org.springframework.aot.AotDetector;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * An application that is processed ahead of time: it writes a message, waits until that is relayed,
 * says so and ends.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration(
    excludeName = {
      "org.springframework.boot.autoconfigure.security.servlet.SecurityAutoConfiguration",
      "org.apache.rocketmq.spring.autoconfigure.RocketMQAutoConfiguration",
      // Its scanner of mappers cannot be processed ahead of time.
      "org.mybatis.spring.boot.autoconfigure.MybatisAutoConfiguration"
    })
public class AotApplication {
  /** Begins the last line that it prints. */
  static final String RELAYED = "relayed ";

  /** Creates the application's beans. */
  public AotApplication() {}

  @Bean
  Mailbox mailbox() {
    return new Mailbox();
  }

  /** Runs it once. */
  public static void main(String[] arguments) {
    try (ConfigurableApplicationContext context =
        SpringApplication.run(AotApplication.class, arguments)) {
      Outbox outbox = context.getBean(Outbox.class);
      new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
          .executeWithoutResult(
              status -> outbox.send(Message.of("mailbox:orders", new byte[] {1}).key("42")));
      String key = context.getBean(Mailbox.class).next().message().key();
      System.out.println(RELAYED + key + ", generated: " + AotDetector.useGeneratedArtifacts());
    }
  }
}
