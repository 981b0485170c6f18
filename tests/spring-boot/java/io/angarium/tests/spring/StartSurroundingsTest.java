package io.angarium.tests.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.Outbox;
import io.angarium.TypedOutbox;
import io.angarium.spring.SpringOutbox;
import io.angarium.spring.operate.RelayLifecycle;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What an application's surroundings may be without a part of Angarium standing still. */
@ExtendWith(OutputCaptureExtension.class)
@OnBootFour
class StartSurroundingsTest {
  private static final String OURS = "io.angarium.spring.";

  private static FirstStart all() {
    return FirstStart.on(Database.h2())
        .with(StartLogTest.Handlers.class, Registry.class)
        .with("angarium.jdbc.schema-mode=create")
        .with("angarium.jdbc.history=true")
        .with("angarium.inbox.enabled=true")
        .with("angarium.inbox.schema-mode=create")
        .with("angarium.half.enabled=true")
        .with("angarium.half.check.allowed-hosts=shop.example")
        .with("angarium.http.hooks.orders.url=https://shop.example/")
        .with("angarium.kafka.enabled=false")
        .with("angarium.rabbitmq.enabled=false")
        .with("angarium.rocketmq.enabled=false")
        .with("angarium.relay.close-timeout=0s");
  }

  private static Set<String> made(ConfigurableApplicationContext context) {
    ConfigurableListableBeanFactory beans = context.getBeanFactory();
    Set<String> made = new TreeSet<>();
    for (String name : beans.getBeanDefinitionNames()) {
      String by = String.valueOf(beans.getBeanDefinition(name).getFactoryBeanName());
      String type = String.valueOf(beans.getBeanDefinition(name).getBeanClassName());
      if (beans.containsSingleton(name) && (by.startsWith(OURS) || type.startsWith(OURS))) {
        made.add(name);
      }
    }
    return made;
  }

  /** Beans, gauges and threads are the same. */
  @Test
  void lazyInitializationStartsAllThatStartsWithoutIt() {
    Set<String> eager;
    Set<String> gauges;
    try (ConfigurableApplicationContext context = all().start()) {
      eager = made(context);
      gauges = gauges(context);
    }

    try (ConfigurableApplicationContext context =
        all().with("spring.main.lazy-initialization=true").start()) {
      assertThat(made(context)).containsAll(eager);
      assertThat(gauges(context)).isEqualTo(gauges);
      assertThat(context.getBean(RelayLifecycle.class).isRunning()).isTrue();
    }
    assertThat(eager).contains("angariumRetention", "angariumRelayMetrics", "angariumKnownTransports");
  }

  private static Set<String> gauges(ConfigurableApplicationContext context) {
    Set<String> names = new TreeSet<>();
    context.getBean(MeterRegistry.class).getMeters().stream()
        .map(meter -> meter.getId().getName())
        .filter(name -> name.startsWith("angarium.") && name.contains("backlog"))
        .forEach(names::add);
    assertThat(names).isNotEmpty();
    return names;
  }

  @Test
  void furtherOutboxStandsBesideTheStarters(CapturedOutput output) {
    try (ConfigurableApplicationContext context = all().with(Archive.class).start()) {
      Map<String, Outbox> outboxes = context.getBeansOfType(Outbox.class);

      assertThat(outboxes).containsOnlyKeys("angariumOutbox", "archiveOutbox");
      assertThat(outboxes.get("angariumOutbox")).isInstanceOf(SpringOutbox.class);
      assertThat(context.getBean(TypedOutbox.class)).isNotNull();
    }
    assertThat(output)
        .contains("Several beans are an Outbox")
        .contains("angariumOutbox=SpringOutbox")
        .contains("archiveOutbox=");
  }

  @Test
  void outboxOfTheStartersNameTakesItsPlace() {
    try (ConfigurableApplicationContext context = all().with(Replaced.class).start()) {
      assertThat(context.getBeansOfType(Outbox.class)).containsOnlyKeys("angariumOutbox");
      assertThat(context.getBean(Outbox.class)).isNotInstanceOf(SpringOutbox.class);
    }
  }

  /** Of services that are called angarium, angarium-http-hooks-mail and angarium-server. */
  @Test
  void linksOfKubernetesDoNotStopTheStart() {
    Map<String, Object> links = new HashMap<>();
    for (String service :
        Arrays.asList(
            "ANGARIUM", "ANGARIUM_SERVER", "ANGARIUM_RELAY", "ANGARIUM_HTTP_HOOKS_MAIL",
            "ANGARIUM_HTTP_HOOKS", "ANGARIUM_RELAY_WINDOW", "ANGARIUM_KAFKA")) {
      links.put(service + "_SERVICE_HOST", "10.0.0.1");
      links.put(service + "_SERVICE_PORT", "80");
      links.put(service + "_SERVICE_PORT_METRICS", "9464");
      links.put(service + "_PORT", "tcp://10.0.0.1:80");
      links.put(service + "_PORT_9464_TCP", "tcp://10.0.0.1:9464");
      links.put(service + "_PORT_9464_TCP_PROTO", "tcp");
      links.put(service + "_PORT_9464_TCP_PORT", "9464");
      links.put(service + "_PORT_9464_TCP_ADDR", "10.0.0.1");
    }

    try (ConfigurableApplicationContext context = all().inEnvironment(links).start()) {
      assertThat(context.getBean(RelayLifecycle.class).isRunning()).isTrue();
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class Registry {
    @Bean
    MeterRegistry registry() {
      return new SimpleMeterRegistry();
    }
  }

  /** Sends nothing. */
  private static MessageId none(Message message) {
    return new MessageId(new UUID(0, message.payload().length));
  }

  @Configuration(proxyBeanMethods = false)
  static class Archive {
    @Bean
    Outbox archiveOutbox() {
      return StartSurroundingsTest::none;
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class Replaced {
    @Bean
    Outbox angariumOutbox() {
      return StartSurroundingsTest::none;
    }
  }
}
