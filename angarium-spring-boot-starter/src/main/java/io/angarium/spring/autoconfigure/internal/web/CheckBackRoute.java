package io.angarium.spring.autoconfigure.internal.web;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.angarium.TimeSource;
import io.angarium.http.check.CheckBackEndpoint;
import io.angarium.http.signature.HttpSignature;
import io.angarium.spring.autoconfigure.internal.mapping.EndpointMapping;
import io.angarium.spring.autoconfigure.internal.mapping.SignatureMapping;
import io.angarium.spring.settings.AngariumProperties;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/** Answers check-backs at a path of the application, where that is switched on. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({CheckBackEndpoint.class, RouterFunction.class, HttpServletRequest.class})
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@OnEndpoint(EndpointMapping.CHECK_BACK)
public class CheckBackRoute {
  /** More than the longest question: 200 keys of 255 characters, each written as an escape. */
  private static final int QUESTION_BYTES_MAX = 512 * 1024;

  @Bean
  RouterFunction<ServerResponse> angariumCheckBackRoute(
      AngariumProperties properties, CheckBackEndpoint endpoint, ObjectProvider<TimeSource> time) {
    AngariumProperties.CheckBackEndpoint given = properties.half().checkBackEndpoint();
    EndpointMapping.check(given); // never open to all for want of a check before
    Answering answering =
        new Answering(
            endpoint, SignatureMapping.of(given), time.getIfAvailable(() -> TimeSource.SYSTEM));
    return new LimitedPost(QUESTION_BYTES_MAX, answering::answer).at(given.path());
  }

  /** Answers questions, only signed ones if there is a signature. */
  private record Answering(
      CheckBackEndpoint endpoint, @Nullable HttpSignature signature, TimeSource time) {
    ServerResponse answer(ServerRequest request, byte[] question) {
      CheckBackEndpoint.Reply reply = reply(request, question);
      return ServerResponse.status(reply.status())
          .contentType(MediaType.APPLICATION_JSON)
          .body(reply.body().getBytes(UTF_8));
    }

    private CheckBackEndpoint.Reply reply(ServerRequest request, byte[] question) {
      return signature == null
          ? endpoint.answer(new String(question, UTF_8))
          : endpoint.answerSigned(
              signature, request.headers()::firstHeader, question, time.instant());
    }
  }
}
