package io.angarium.tests.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.DefaultResourceLoader;

/**
 * The first start of a user's application: no properties but those given, and no beans but those of
 * the auto-configurations.
 */
final class FirstStart {
  private final List<Class<?>> sources = new ArrayList<>(List.of(Application.class));
  private final List<String> arguments = new ArrayList<>();
  private final List<String> missing = new ArrayList<>();

  private FirstStart() {
    with("spring.config.name=no-file");
    with(Shop.WITHOUT_JPA);
    with("spring.flyway.enabled=false"); // on the class path for MigrationToolsTest
    with("spring.liquibase.enabled=false");
    with("spring.datasource.hikari.connection-timeout=1000");
  }

  static FirstStart withoutDatabase() {
    return new FirstStart();
  }

  static FirstStart on(Database database) {
    return new FirstStart()
        .with("spring.datasource.url=" + database.url())
        .with("spring.datasource.username=" + database.user())
        .with("spring.datasource.password=" + database.password());
  }

  FirstStart with(String property) {
    arguments.add("--" + property);
    return this;
  }

  FirstStart with(Class<?>... more) {
    sources.addAll(Arrays.asList(more));
    return this;
  }

  /** As if the class path had none of the modules that send. */
  FirstStart withoutTransports() {
    for (String module : List.of("kafka", "rabbitmq", "rocketmq", "http")) {
      missing.add("io.angarium." + module + ".");
    }
    return this;
  }

  FirstStart without(String packages) {
    missing.add(packages);
    return this;
  }

  ConfigurableApplicationContext start() {
    return new SpringApplicationBuilder(
            new DefaultResourceLoader(new FilteredClassLoader(missing.toArray(String[]::new))),
            sources.toArray(Class<?>[]::new))
        .web(WebApplicationType.NONE)
        .run(arguments.toArray(String[]::new));
  }

  /** What a user reads whose application does not start; no stack trace is among it. */
  String failure(CapturedOutput output) {
    Throwable failure = catchThrowable(() -> start().close());
    assertThat(failure).as("failure of the start").isNotNull();
    String text = output.getAll();
    int begin = text.lastIndexOf("APPLICATION FAILED TO START");
    assertThat(begin).as("analysis of the failure in %s", text).isNotNegative();
    String analysis = text.substring(begin);
    assertThat(analysis).contains("Description:", "Action:").doesNotContain("\tat ");
    return analysis;
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration(
      excludeName = {
        "org.springframework.boot.autoconfigure.security.servlet.SecurityAutoConfiguration",
        "org.apache.rocketmq.spring.autoconfigure.RocketMQAutoConfiguration"
      })
  static class Application {}
}
