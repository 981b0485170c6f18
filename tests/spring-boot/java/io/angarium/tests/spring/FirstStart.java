package io.angarium.tests.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.springframework.core.env.StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.io.DefaultResourceLoader;

/**
 * The first start of a user's application: no properties but those given, and no beans but those of
 * the auto-configurations.
 */
final class FirstStart {
  private final List<Class<?>> sources = new ArrayList<>(List.of(Application.class));
  private final List<String> arguments = new ArrayList<>();
  private final List<String> missing = new ArrayList<>();
  private final Map<String, Object> environment = new HashMap<>();

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

  /** As if these were environment variables. */
  FirstStart inEnvironment(Map<String, Object> variables) {
    environment.putAll(variables);
    return this;
  }

  ConfigurableApplicationContext start() {
    return new SpringApplicationBuilder(
            new DefaultResourceLoader(new FilteredClassLoader(missing.toArray(String[]::new))),
            sources.toArray(Class<?>[]::new))
        .web(WebApplicationType.NONE)
        .initializers(
            context ->
                context
                    .getEnvironment()
                    .getPropertySources()
                    .replace(
                        SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                        new SystemEnvironmentPropertySource(
                            SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, environment())))
        .run(arguments.toArray(String[]::new));
  }

  private Map<String, Object> environment() {
    Map<String, Object> all = new HashMap<>(System.getenv());
    all.putAll(environment);
    return all;
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
