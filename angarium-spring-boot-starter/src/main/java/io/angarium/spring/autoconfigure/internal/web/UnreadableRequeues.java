package io.angarium.spring.autoconfigure.internal.web;

import static java.nio.charset.StandardCharsets.UTF_8;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.http.MediaType;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/**
 * Answers requests to requeue whose body the Actuator cannot read, for example with an array of
 * ids, with the reason. The Actuator reads one text for each field and answers without a word.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({HandlerExceptionResolver.class, HttpServletRequest.class})
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnAvailableEndpoint(endpoint = AngariumEndpoint.class)
public class UnreadableRequeues {
  private static final String PATH = "/angarium/dead-letters";

  private static final String REASON =
      "{\"error\":\"body: not readable (expected: a JSON object whose fields are texts; several ids"
          + " are one text with commas in between; nothing was requeued)\"}";

  @Bean
  HandlerExceptionResolver angariumUnreadableRequeues() {
    return new Answer();
  }

  /** Before Spring MVC's own resolvers, for these requests alone. */
  private static final class Answer implements HandlerExceptionResolver, Ordered {
    @Override
    public int getOrder() {
      return Ordered.HIGHEST_PRECEDENCE;
    }

    @Override
    public @Nullable ModelAndView resolveException(
        HttpServletRequest request,
        HttpServletResponse response,
        @Nullable Object handler,
        Exception fault) {
      if (!(fault instanceof HttpMessageNotReadableException)
          || !request.getRequestURI().endsWith(PATH)) {
        return null;
      }
      response.setStatus(HttpServletResponse.SC_BAD_REQUEST);
      response.setContentType(MediaType.APPLICATION_JSON_VALUE);
      try {
        response.getOutputStream().write(REASON.getBytes(UTF_8));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return new ModelAndView();
    }
  }
}
