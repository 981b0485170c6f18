package io.angarium.spring.autoconfigure.internal.web;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;
import org.springframework.lang.Nullable;

/**
 * Answers wrong requests over HTTP with the reason. Without it the answer is Spring Boot's error
 * page, which leaves messages out. Thread-safe.
 */
@EndpointWebExtension(endpoint = AngariumEndpoint.class)
public final class AngariumWebEndpoint {
  private final AngariumEndpoint endpoint;

  public AngariumWebEndpoint(AngariumEndpoint endpoint) {
    this.endpoint = endpoint;
  }

  /** Lists dead letters as {@link AngariumEndpoint#deadLetters} does. */
  @ReadOperation
  WebEndpointResponse<Map<String, Object>> deadLetters(
      @Selector String what,
      @Nullable String destination,
      @Nullable String key,
      @Nullable String type,
      @Nullable String reasonHas,
      @Nullable String from,
      @Nullable String to,
      @Nullable Integer limit,
      @Nullable String cursor) {
    return answer(
        () ->
            endpoint.deadLetters(what, destination, key, type, reasonHas, from, to, limit, cursor));
  }

  /** Requeues dead letters as {@link AngariumEndpoint#requeue} does. */
  @WriteOperation
  WebEndpointResponse<Map<String, Object>> requeue(
      SecurityContext security,
      @Selector String what,
      @Nullable String reason,
      @Nullable List<String> ids,
      @Nullable String destination,
      @Nullable String key,
      @Nullable String type,
      @Nullable String reasonHas,
      @Nullable String from,
      @Nullable String to,
      @Nullable String cursor) {
    return answer(
        () ->
            endpoint.requeue(
                security, what, reason, ids, destination, key, type, reasonHas, from, to, cursor));
  }

  private static WebEndpointResponse<Map<String, Object>> answer(
      Supplier<@org.jspecify.annotations.Nullable Map<String, Object>> operation) {
    try {
      Map<String, Object> result = operation.get();
      return result == null
          ? new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND)
          : new WebEndpointResponse<>(result);
    } catch (InvalidEndpointRequestException e) {
      return new WebEndpointResponse<>(
          Map.of("error", String.valueOf(e.getReason())), WebEndpointResponse.STATUS_BAD_REQUEST);
    }
  }
}
