package io.angarium.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.half.HalfState;
import io.angarium.half.Refusal;
import io.angarium.half.decide.HalfMessageDesk;
import io.angarium.http.HttpWireFormat;
import io.angarium.http.half.HalfJson;
import io.angarium.http.half.HalfWireFormat;
import io.angarium.jdbc.JdbcIntakeTopics;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The description that the server gives of itself is true. */
class OpenApiTest {
  private static ServerUnderTest server;
  private static JsonNode api;

  @BeforeAll
  static void start() {
    server =
        ServerUnderTest.open(
            "angarium.server.dtm.enabled=true",
            "angarium.http.allowed-hosts=127.0.0.1:1",
            "angarium.kafka.enabled=true",
            "angarium.kafka.bootstrap-servers=127.0.0.1:1",
            "angarium.server.kafka-intake.registry.enabled=true",
            "angarium.server.kafka-intake.dead-letter-topic=half-dead",
            "angarium.server.kafka-intake.businesses=*",
            "angarium.server.kafka-intake.destinations=kafka:*");
    String text = server.send(server.request("/openapi.json")).body();
    api = JsonMapper.shared().readTree(text);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void everyCallIsDescribedAndNoOther() {
    List<String> described = new ArrayList<>();
    api.get("paths")
        .forEachEntry(
            (path, calls) ->
                calls.forEachEntry(
                    (method, call) -> described.add(method.toUpperCase(Locale.ROOT) + " " + path)));

    assertThat(described).containsExactlyInAnyOrderElementsOf(mappings());
  }

  private static List<String> mappings() {
    return server
        .bean("requestMappingHandlerMapping", RequestMappingHandlerMapping.class)
        .getHandlerMethods()
        .keySet()
        .stream()
        .filter(mapping -> mapping.getPatternValues().toString().matches(".*/(v1|api)/.*"))
        .flatMap(OpenApiTest::calls)
        .toList();
  }

  private static Stream<String> calls(RequestMappingInfo mapping) {
    return mapping.getMethodsCondition().getMethods().stream()
        .flatMap(
            method -> mapping.getPatternValues().stream().map(path -> method.name() + " " + path));
  }

  @Test
  void everyHeaderOfAMessageIsDescribed() {
    List<String> described = new ArrayList<>();
    api.at("/paths/~1v1~1half-messages~1{business}~1{key}/put/parameters")
        .forEach(
            parameter -> {
              if (parameter.get("in").asString().equals("header")) {
                described.add(parameter.get("name").asString().toLowerCase(Locale.ROOT));
              }
            });

    assertThat(described)
        .containsExactlyInAnyOrder(
            HalfWireFormat.DESTINATION,
            HalfWireFormat.MESSAGE_KEY,
            HalfWireFormat.TYPE,
            HalfWireFormat.CREATED_BY,
            HalfWireFormat.DELAY,
            HalfWireFormat.NOT_BEFORE,
            HalfWireFormat.CHECK_BACK,
            HttpWireFormat.HEADERS,
            HttpWireFormat.BUSINESS_TYPE,
            HttpWireFormat.BUSINESS_KEY);
  }

  @Test
  void statesRefusalsAndLimitsAreThoseOfTheCode() {
    assertThat(texts("/components/schemas/State/enum"))
        .containsExactlyElementsOf(Stream.of(HalfState.values()).map(Enum::name).toList());
    assertThat(texts("/components/schemas/Refusal/enum"))
        .containsExactlyElementsOf(Stream.of(Refusal.values()).map(Enum::name).toList());
    assertThat(api.at("/components/schemas/IntakeTopics/properties/topics/maxItems").asInt())
        .isEqualTo(JdbcIntakeTopics.PAGE_MAX);
    for (String limit : List.of("maximum", "default")) {
      assertThat(api.at("/paths/~1v1~1intake-topics/get/parameters/1/schema/" + limit).asInt())
          .isEqualTo(JdbcIntakeTopics.PAGE_MAX);
    }
    assertThat(api.at("/paths/~1v1~1undecided/get/parameters/2/schema/maximum").asInt())
        .isEqualTo(HalfMessageDesk.PAGE_MAX);
    assertThat(api.at("/components/schemas/Calls/properties/calls/maxItems").asInt())
        .isEqualTo(HalfJson.CALLS_MAX);
    assertThat(api.at("/components/schemas/Keys/properties/keys/maxItems").asInt())
        .isEqualTo(HalfJson.CALLS_MAX);
  }

  /** What linters and generators want. */
  @Test
  void serversLicenceBodiesAndRefusalsAreDeclared() {
    assertThat(api.at("/servers/0/url").asString()).isEqualTo("/");
    assertThat(api.at("/info/license/identifier").asString()).isEqualTo("Apache-2.0");
    List<String> bodies = new ArrayList<>();
    api.at("/paths/~1v1~1half-messages~1{business}~1{key}/put/requestBody/content")
        .forEachEntry((type, body) -> bodies.add(type));
    assertThat(bodies).containsExactly("application/json", "application/octet-stream");
    api.get("paths")
        .forEachEntry(
            (path, calls) ->
                calls.forEachEntry(
                    (method, call) ->
                        assertThat(call.at("/responses/4XX").isMissingNode())
                            .as(method + " " + path)
                            .isFalse()));
  }

  private static List<String> texts(String pointer) {
    List<String> texts = new ArrayList<>();
    api.at(pointer).forEach(text -> texts.add(text.asString()));
    return texts;
  }

  /** What is missing would be an empty place on the page of the server. */
  @Test
  void everyCallHasTheWordsThatThePageShows() {
    List<String> missing = new ArrayList<>();
    api.get("paths")
        .forEachEntry(
            (path, calls) ->
                calls.forEachEntry(
                    (method, call) -> {
                      words(method + " " + path, call, missing, "summary", "description");
                      call.path("parameters")
                          .forEach(each -> words(path, each, missing, "name", "in", "description"));
                      words(path, call.at("/responses/200"), missing, "description");
                    }));

    assertThat(missing).isEmpty();
  }

  private static void words(String where, JsonNode node, List<String> missing, String... names) {
    for (String name : names) {
      if (node.path(name).asString("").isBlank()) {
        missing.add(where + ": " + name + " of " + node);
      }
    }
  }

  @Test
  void pageSaysWhatRunsAndWithWhat() {
    JsonNode about =
        JsonMapper.shared().readTree(server.send(server.request("/about.json")).body());

    assertThat(about.path("database").asString()).isEqualTo("H2");
    assertThat(about.path("keys").asBoolean()).isFalse();
    assertThat(about.path("version").asString()).isNotBlank();
    assertThat(about.path("destinations").toString()).contains("\"kafka\"", "\"log\"");
    assertThat(about.path("actuator").asString()).isEqualTo("actuator");
    assertThat(about.path("waysIn").toString()).isEqualTo("[\"Kafka\",\"dtm\"]");
  }

  @Test
  void pageThatShowsItIsServed() {
    assertThat(server.send(server.request("/")).body())
        .contains("<title>Angarium server</title>", "openapi.json");
  }
}
