package io.angarium.tests.spring.avro;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import org.apache.avro.Schema;
import org.apache.kafka.common.errors.SerializationException;

/** Asks a {@link SchemaRegistry}. Thread-safe. */
final class RegistryClient {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final String url;
  private final HttpClient http = HttpClient.newBuilder().connectTimeout(TIMEOUT).build();

  RegistryClient(String url) {
    this.url = url;
  }

  int register(String subject, Schema schema) {
    return Integer.parseInt(
        ask(
            request("/subjects/" + subject)
                .POST(BodyPublishers.ofString(schema.toString()))
                .build()));
  }

  Schema schema(int id) {
    return new Schema.Parser().parse(ask(request("/schemas/" + id).build()));
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(url + path)).timeout(TIMEOUT);
  }

  private String ask(HttpRequest request) {
    try {
      return http.send(request, BodyHandlers.ofString()).body();
    } catch (IOException e) {
      throw new SerializationException("Schema registry " + url + " cannot be reached", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SerializationException("Interrupted while asking " + url, e);
    }
  }
}
