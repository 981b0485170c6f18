package io.angarium.server.http;

import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextType;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;

/**
 * The port of the calls, where this is found as every configuration, and the one of the management,
 * where that is another one: Spring Boot's Actuator has it from its list.
 */
@ManagementContextConfiguration(value = ManagementContextType.CHILD, proxyBeanMethods = false)
class WebPorts {
  @Bean
  WebServerFactoryCustomizer<TomcatServletWebServerFactory> boundedConnections() {
    return new BoundedConnections();
  }
}
