package io.angarium.tests.spring;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.DefaultResourceLoader;
import org.springframework.core.io.ResourceLoader;

/** Starts applications for tests. */
final class Shop {
  /** JPA's auto-configurations under the names of both generations; absent ones are ignored. */
  static final String WITHOUT_JPA =
      "spring.autoconfigure.exclude="
          + "org.springframework.boot.autoconfigure.orm.jpa.HibernateJpaAutoConfiguration,"
          + "org.springframework.boot.autoconfigure.data.jpa.JpaRepositoriesAutoConfiguration,"
          + "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration,"
          + "org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration";

  private final List<Class<?>> sources = new ArrayList<>(List.of(Standard.class));
  private final List<String> properties = new ArrayList<>();
  private final List<String> missing = new ArrayList<>();

  private Shop() {}

  static Shop on(Database database) {
    return new Shop()
        .with("spring.datasource.url=" + database.url())
        .with("spring.datasource.username=" + database.user())
        .with("spring.datasource.password=" + database.password())
        // a process of PostgreSQL for each
        .with("spring.datasource.hikari.minimum-idle=1");
  }

  Shop with(String property) {
    properties.add(property);
    return this;
  }

  Shop with(Class<?> source) {
    sources.add(source);
    return this;
  }

  Shop withoutJpa() {
    return with(WITHOUT_JPA);
  }

  /** As if classes whose names begin so were not on the class path. */
  Shop without(String packages) {
    missing.add(packages);
    return this;
  }

  /** With a web server of its own, see {@link Web}. */
  Shop onTheWeb() {
    return with("spring.main.web-application-type=servlet")
        .with("server.address=127.0.0.1")
        .with("server.port=0");
  }

  ConfigurableApplicationContext start() {
    String[] arguments =
        properties.stream().map(property -> "--" + property).toArray(String[]::new);
    return new SpringApplicationBuilder(classPath(), sources.toArray(Class<?>[]::new))
        .web(WebApplicationType.NONE)
        .run(arguments);
  }

  /** Null for the usual one. */
  private @Nullable ResourceLoader classPath() {
    return missing.isEmpty()
        ? null
        : new DefaultResourceLoader(new FilteredClassLoader(missing.toArray(String[]::new)));
  }

  /** What every application here has. */
  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration(
      // of Spring Boot 3, which takes Spring Security for all of it; here it has no web part
      excludeName = {
        "org.springframework.boot.autoconfigure.security.servlet.SecurityAutoConfiguration",
        // for the one test that is about it
        "org.apache.rocketmq.spring.autoconfigure.RocketMQAutoConfiguration"
      })
  static class Standard {
    @Bean
    Mailbox mailbox() {
      return new Mailbox();
    }
  }
}
