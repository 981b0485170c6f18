package io.angarium.quickstart;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Iterator;
import java.util.function.Predicate;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Does over HTTP what the page does. */
final class Visitor {
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final String DATA = "data:";

  private final HttpClient http = HttpClient.newHttpClient();
  private final JsonMapper json = new JsonMapper();
  private final String address;

  Visitor(int port) {
    address = "http://127.0.0.1:" + port;
  }

  HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return http.send(request(path).build(), BodyHandlers.ofString());
  }

  HttpResponse<String> post(String path, String body) throws IOException, InterruptedException {
    HttpRequest request =
        request(path)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    return http.send(request, BodyHandlers.ofString());
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(address + path)).timeout(LIMIT);
  }

  /** Posts what has to be accepted. */
  void command(String path, String body) throws IOException, InterruptedException {
    HttpResponse<String> answer = post(path, body);
    if (answer.statusCode() / 100 != 2) {
      throw new AssertionError(answer + ": " + answer.body());
    }
  }

  void placeMany(int count, boolean rollBack) throws IOException, InterruptedException {
    command("/demo/orders", "{\"count\":%d,\"rollBack\":%b}".formatted(count, rollBack));
  }

  /** Reads the stream that the page reads, until it tells of a state like this. */
  JsonNode await(String what, Predicate<JsonNode> reached)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    try (Stream<String> lines =
        http.send(request("/demo/events").build(), BodyHandlers.ofLines()).body()) {
      // One comes every second at least, so that the loop sees the deadline.
      Iterator<String> states = lines.filter(line -> line.startsWith(DATA)).iterator();
      while (states.hasNext()) {
        JsonNode state = json.readTree(states.next().substring(DATA.length()));
        if (reached.test(state)) {
          return state;
        }
        if (System.nanoTime() > deadline) {
          throw new AssertionError("Not within " + LIMIT + ": " + what + "; now " + state);
        }
      }
    }
    throw new AssertionError("The stream ended before: " + what);
  }

  JsonNode awaitBroker(String state) throws IOException, InterruptedException {
    return await(
        "the broker is " + state, now -> now.at("/servers/brokerState").asString().equals(state));
  }

  JsonNode awaitBooked(long number) throws IOException, InterruptedException {
    return await(
        number + " movements and none pending",
        now -> count(now, "booked") >= number && count(now, "pending") == 0);
  }

  static long count(JsonNode state, String name) {
    return state.at("/counts/" + name).asLong();
  }
}
