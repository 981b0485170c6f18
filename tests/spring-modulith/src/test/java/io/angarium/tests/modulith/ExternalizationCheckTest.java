package io.angarium.tests.modulith;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.angarium.ConfigurationException;
import io.angarium.MessageId;
import io.angarium.Outbox;
import io.angarium.spring.autoconfigure.AngariumAutoConfiguration;
import io.angarium.spring.modulith.AngariumModulithAutoConfiguration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.io.DefaultResourceLoader;
import org.springframework.core.io.ResourceLoader;
import org.springframework.modulith.events.EventExternalizationConfiguration;
import org.springframework.modulith.events.support.EventExternalizerModuleListener;

/** What would lose events or send them twice stops the start. */
class ExternalizationCheckTest {
  private static final String MODE = "spring.modulith.events.externalization.mode";
  private static final String ENABLED = "spring.modulith.events.externalization.enabled";

  private static ConfigurableApplicationContext start(String... properties) {
    return start(null, Plain.class, properties);
  }

  private static ConfigurableApplicationContext start(
      ResourceLoader classPath, Class<?> application, String... properties) {
    String[] arguments = new String[properties.length + 2];
    arguments[0] = "--spring.datasource.url=jdbc:h2:mem:check";
    arguments[1] = "--angarium.relay.enabled=false";
    for (int i = 0; i < properties.length; i++) {
      arguments[i + 2] = "--" + properties[i];
    }
    return new SpringApplicationBuilder(classPath, application).run(arguments);
  }

  private static List<String> faults(Runnable start) {
    Throwable thrown = catchThrowable(start::run);
    while (thrown != null && !(thrown instanceof ConfigurationException)) {
      thrown = thrown.getCause();
    }
    assertThat(thrown).as("the start was stopped").isNotNull();
    return ((ConfigurationException) thrown).faults();
  }

  @Test
  void withTheModuleTheModeIsOutbox() {
    try (ConfigurableApplicationContext context = start()) {
      assertThat(context.getEnvironment().getProperty(MODE)).isEqualTo("outbox");
    }
  }

  @Test
  void anotherWayToSendTheEventsIsRefused() {
    List<String> faults = faults(() -> start(null, Twice.class).close());

    assertThat(faults)
        .singleElement(InstanceOfAssertFactories.STRING)
        .contains("twice, by Angarium and by the beans [kafkaEventExternalizer]");
  }

  @Test
  void allFaultsAreListedAtOnce() {
    List<String> faults = faults(() -> start(null, Twice.class, MODE + "=module-listener").close());

    assertThat(faults).hasSize(2);
    assertThat(faults.get(0)).startsWith(MODE + ": module-listener (expected: outbox, or not set");
  }

  @Test
  void withoutAMapperNothingCouldBeWritten() {
    List<String> faults = faults(() -> start(null, WithoutJackson.class).close());

    assertThat(faults)
        .singleElement(InstanceOfAssertFactories.STRING)
        .contains("no PayloadCodec bean");
  }

  @Test
  void withoutAnOutboxNothingCouldBeWritten() {
    String without = "spring.autoconfigure.exclude=" + AngariumAutoConfiguration.class.getName();

    assertThat(faults(() -> start(without).close()))
        .singleElement(InstanceOfAssertFactories.STRING)
        .contains("no Outbox bean");
  }

  @Test
  void severalOutboxesOfWhichNoneIsPrimaryAreRefused() {
    List<String> faults =
        faults(() -> start(null, TwoOutboxes.class, MODE + "=module-listener").close());

    assertThat(faults).hasSize(2);
    assertThat(faults.get(1))
        .contains(
            "the Outbox beans [first, second, angariumOutbox] (expected: one, or one of them"
                + " marked @Primary");
  }

  @Test
  void anOlderSpringModulithIsRefused() {
    ResourceLoader older =
        new DefaultResourceLoader(
            new FilteredClassLoader("org.springframework.modulith.events.ExternalizationMode"));

    assertThat(faults(() -> start(older, Bare.class).close()))
        .anySatisfy(fault -> assertThat(fault).contains("older than 2.1"));
  }

  @Test
  void switchedOffItLeavesSpringModulithAlone() {
    try (ConfigurableApplicationContext context =
        start(null, Twice.class, "angarium.enabled=false")) {
      assertThat(context.getEnvironment().getProperty(MODE)).isNull();
    }
    try (ConfigurableApplicationContext context = start(ENABLED + "=false")) {
      assertThat(context.getBeanNamesForType(AngariumModulithAutoConfiguration.class)).isEmpty();
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Plain {}

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration(exclude = JacksonAutoConfiguration.class)
  static class WithoutJackson {}

  /** What is there of Spring Modulith before 2.1. */
  @Configuration(proxyBeanMethods = false)
  @Import(AngariumModulithAutoConfiguration.class)
  static class Bare {
    @Bean
    EventExternalizationConfiguration externalization() {
      return EventExternalizationConfiguration.disabled();
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class TwoOutboxes {
    @Bean
    Outbox first() {
      return message -> new MessageId(UUID.randomUUID());
    }

    @Bean
    Outbox second() {
      return message -> new MessageId(UUID.randomUUID());
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Twice {
    /** The name and the type that Spring Modulith's module for Kafka gives it. */
    @Bean
    EventExternalizerModuleListener kafkaEventExternalizer(
        EventExternalizationConfiguration configuration) {
      return new EventExternalizerModuleListener(
          configuration, (payload, target) -> CompletableFuture.completedFuture(null));
    }
  }
}
