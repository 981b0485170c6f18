package io.angarium.spring.autoconfigure.internal.web;

import io.angarium.TimeSource;
import io.angarium.confirmation.ReceiptIntake;
import io.angarium.http.ReceiptsEndpoint;
import io.angarium.http.signature.HttpSignature;
import io.angarium.jdbc.JdbcDatabase;
import io.angarium.spring.autoconfigure.internal.mapping.EndpointMapping;
import io.angarium.spring.autoconfigure.internal.mapping.SignatureMapping;
import io.angarium.spring.settings.AngariumProperties;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/** Takes receipts at a path of the application, where that is switched on. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({ReceiptsEndpoint.class, RouterFunction.class, HttpServletRequest.class})
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@OnEndpoint(EndpointMapping.RECEIPTS)
@ConditionalOnBean(JdbcDatabase.class)
public class ReceiptsRoute {
  /** Room for more than 25 000 ids; our own consumers send 1 000 at once. */
  private static final int RECEIPTS_BYTES_MAX = 1024 * 1024;

  @Bean
  RouterFunction<ServerResponse> angariumReceiptsRoute(
      AngariumProperties properties, ReceiptIntake intake, ObjectProvider<TimeSource> times) {
    AngariumProperties.ReceiptsEndpoint given = properties.confirmation().receiptsEndpoint();
    EndpointMapping.check(given); // never open to all for want of a check before
    Taking taking =
        new Taking(
            new ReceiptsEndpoint(intake),
            SignatureMapping.of(given),
            times.getIfAvailable(() -> TimeSource.SYSTEM));
    return new LimitedPost(RECEIPTS_BYTES_MAX, taking::take).at(given.path());
  }

  /** Takes receipts, only signed ones if there is a signature. */
  private record Taking(
      ReceiptsEndpoint endpoint, @Nullable HttpSignature signature, TimeSource time) {
    ServerResponse take(ServerRequest request, byte[] receipts) {
      return ServerResponse.status(status(request, receipts)).build();
    }

    private int status(ServerRequest request, byte[] receipts) {
      return signature == null
          ? endpoint.accept(receipts)
          : endpoint.acceptSigned(
              signature, request.headers()::firstHeader, receipts, time.instant());
    }
  }
}
