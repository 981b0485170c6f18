package io.angarium.tests.spring;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.springframework.context.ConfigurableApplicationContext;

/** The web server of an application that was started for a test. */
final class Web {
  private Web() {}

  /** Host and port. */
  static String host(ConfigurableApplicationContext context) {
    return "127.0.0.1:" + context.getEnvironment().getProperty("local.server.port");
  }

  /** Posts a text, said to be JSON, and waits for the answer. */
  static HttpResponse<String> post(ConfigurableApplicationContext context, String path, String body)
      throws IOException, InterruptedException {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create("http://" + host(context) + path))
                .header("content-type", "application/json")
                .POST(BodyPublishers.ofString(body))
                .build(),
            BodyHandlers.ofString());
  }

  /** Gets a path and waits for the answer. */
  static HttpResponse<String> get(ConfigurableApplicationContext context, String path)
      throws IOException, InterruptedException {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create("http://" + host(context) + path)).build(),
            BodyHandlers.ofString());
  }
}
