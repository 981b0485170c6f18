package io.angarium.recipes.kubernetes;

import java.io.IOException;
import java.util.List;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The application in a pod; ends with the process that started it. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import(Orders.class)
class Pod {
  static final String READY = "ready on port ";

  /** Says where it answers. */
  public static void main(String... args) {
    Thread watch = new Thread(Pod::endWithParent, "parent-watch");
    watch.setDaemon(true);
    watch.start();
    ConfigurableApplicationContext context = SpringApplication.run(Pod.class, args);
    System.out.println(READY + context.getEnvironment().getProperty("local.server.port"));
  }

  /** The arguments of every pod. */
  static List<String> settings() {
    return List.of(
        "--spring.config.additional-location=classpath:kubernetes/",
        "--spring.main.banner-mode=off");
  }

  private static void endWithParent() {
    try {
      while (System.in.read() >= 0) {}
    } catch (IOException e) {
      // the same as the end
    }
    Runtime.getRuntime().halt(1);
  }
}
