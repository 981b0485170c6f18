package io.angarium.tests.spring.flyway;

import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.Configuration;

/** Finds the class of docs/schema.md as an application does, by scanning. */
@Configuration(proxyBeanMethods = false)
@ComponentScan
public class ScannedApplication {
  /** Creates the configuration. */
  public ScannedApplication() {}
}
