package io.angarium.server.http;

import io.angarium.TimeSource;
import io.angarium.server.bodies.Pace;
import io.angarium.server.bodies.UnreadBodies;
import io.angarium.server.problem.ProblemReport;
import java.util.Set;
import org.apache.catalina.core.StandardHost;
import org.apache.coyote.http11.AbstractHttp11Protocol;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;

/**
 * What Tomcat's properties do not say: a head of a request must be whole in time, a body must come
 * at a {@link Pace}, also one that nobody reads, without extensions of chunks and trailers; and
 * what Tomcat refuses is a problem, at every port. Immutable.
 */
final class BoundedConnections
    implements WebServerFactoryCustomizer<TomcatServletWebServerFactory> {
  private static final String END_OF_TRAILERS = "\r\n";

  @Override
  public void customize(TomcatServletWebServerFactory factory) {
    factory.setProtocol(LimitedHeadProtocol.class.getName());
    factory.setErrorPages(Set.of()); // that of the management port has another form
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
            http.setMaxExtensionSize(0); // a read would last for as long as one trickles
            http.setMaxTrailerSize(END_OF_TRAILERS.length());
            http.setConnectionUploadTimeout((int) Pace.WINDOW.toMillis()); // of a single read
          }
        });
  }
}
