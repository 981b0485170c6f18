package io.angarium.recipes;

import io.angarium.testservers.TestDatabase;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** Starts the application of a recipe as its {@code main} would, with properties of the test. */
public final class Application {
  private static final String WITHOUT_JPA =
      "spring.autoconfigure.exclude="
          + "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration,"
          + "org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration";

  private final Class<?> main;
  private final Map<String, String> properties = new LinkedHashMap<>();
  private WebApplicationType web = WebApplicationType.NONE;

  private Application(Class<?> main) {
    this.main = main;
  }

  /** An application on the shared Kafka that creates its tables. */
  public static Application of(Class<?> main) {
    return new Application(main)
        .with("spring.kafka.bootstrap-servers=" + Topic.servers())
        .with("angarium.jdbc.schema-mode=create");
  }

  /** Sets a property, as {@code name=value}; the last value counts. */
  public Application with(String property) {
    int equals = property.indexOf('=');
    properties.put(property.substring(0, equals), property.substring(equals + 1));
    return this;
  }

  /** Leaves out JPA, which is on the class path for other recipes. */
  public Application withoutJpa() {
    return with(WITHOUT_JPA);
  }

  /** Starts a web server on a free port. */
  public Application onTheWeb() {
    web = WebApplicationType.SERVLET;
    return with("server.port=0").with("server.address=127.0.0.1");
  }

  /** Sets Spring Boot's only data source. */
  public Application on(TestDatabase database) {
    return with("spring.datasource.url=" + database.url())
        .with("spring.datasource.username=" + database.user())
        .with("spring.datasource.password=" + database.password())
        // a process of PostgreSQL for each
        .with("spring.datasource.hikari.minimum-idle=1");
  }

  /** The properties as arguments of a command line. */
  public String[] arguments() {
    return properties.entrySet().stream()
        .map(property -> "--" + property.getKey() + "=" + property.getValue())
        .toArray(String[]::new);
  }

  /** Starts it; the caller closes the context. */
  public ConfigurableApplicationContext start() {
    return new SpringApplicationBuilder(main).web(web).run(arguments());
  }
}
