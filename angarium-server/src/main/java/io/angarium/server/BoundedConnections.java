package io.angarium.server;

import io.angarium.TimeSource;
import org.apache.catalina.core.StandardHost;
import org.apache.coyote.http11.AbstractHttp11Protocol;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;

/**
 * What Tomcat's properties do not say: a head of a request must be whole in time, a body must come
 * at a {@link Pace}, also one that nobody reads; and what Tomcat refuses is a problem. Immutable.
 */
final class BoundedConnections
    implements WebServerFactoryCustomizer<TomcatServletWebServerFactory> {
  @Override
  public void customize(TomcatServletWebServerFactory factory) {
    factory.setProtocol(LimitedHeadProtocol.class.getName());
    factory.addEngineValves(new UnreadBodies(TimeSource.SYSTEM));
    factory.addContextCustomizers(
        context -> {
          if (context.getParent() instanceof StandardHost host) {
            host.setErrorReportValveClass(ProblemReport.class.getName());
          }
        });
    factory.addConnectorCustomizers(
        connector -> {
          if (connector.getProtocolHandler() instanceof AbstractHttp11Protocol<?> http) {
            http.setDisableUploadTimeout(false);
            http.setConnectionUploadTimeout((int) Pace.WINDOW.toMillis()); // of a single read
          }
        });
  }
}
