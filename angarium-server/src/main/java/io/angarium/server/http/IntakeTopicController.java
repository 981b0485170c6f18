package io.angarium.server.http;

import io.angarium.InvalidMessageException;
import io.angarium.half.intake.IntakeTopic;
import io.angarium.half.intake.IntakeTopics;
import io.angarium.jdbc.JdbcIntakeTopics;
import io.angarium.server.access.AccessFilter;
import io.angarium.server.access.Caller;
import io.angarium.server.bodies.RequestBodies;
import io.angarium.server.settings.OnSwitch;
import io.angarium.server.settings.ServerProperties;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

/**
 * The registry of Kafka topics over HTTP. Everybody who may write to a topic may do what the intake
 * permits, for any business. So the registry requires a caller who may operate all businesses.
 */
@RestController
@OnSwitch("kafka-intake.registry.enabled")
final class IntakeTopicController {
  private static final String ALL = "/v1/intake-topics";
  private static final String ONE = ALL + "/{topic}";
  private static final int REGISTRATION_BYTES_MAX = 16 << 10;

  /** What may be the name of a topic, and what a database can be asked for. */
  private static final String AFTER = "\\P{Cntrl}{0,249}";

  private static final Logger LOG = LoggerFactory.getLogger(IntakeTopicController.class);

  private final JdbcIntakeTopics topics;
  private final String deadLetterTopic;
  private final RequestBodies bodies;
  private final ObjectReader registrations;

  IntakeTopicController(
      JdbcIntakeTopics topics, ServerProperties properties, RequestBodies bodies, JsonMapper json) {
    this.topics = topics;
    this.deadLetterTopic = properties.kafkaIntake().deadLetterTopic();
    this.bodies = bodies;
    this.registrations =
        json.readerFor(Registration.class)
            .with(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .with(StreamReadFeature.STRICT_DUPLICATE_DETECTION);
  }

  /**
   * A page of those that are registered. Immutable.
   *
   * @param last what the next page comes after; null if this is the last
   */
  record Registered(List<IntakeTopic> topics, @Nullable String last) {}

  /**
   * What is said of a topic. Immutable.
   *
   * @param onlyMarked whether only marked records count; null for as it is, all of a new topic
   * @param enabled whether it is read; null for as it is, yes for a new topic
   * @param by who registers it, of those that share the API key; null for its name
   */
  record Registration(
      @Nullable Boolean onlyMarked, @Nullable Boolean enabled, @Nullable String by) {}

  /** What became of a removal. Immutable. */
  record Removal(String topic, boolean removed) {}

  @GetMapping(path = ALL, produces = MediaType.APPLICATION_JSON_VALUE)
  Registered all(
      @RequestAttribute(AccessFilter.CALLER) Caller caller,
      @RequestParam(name = "after", required = false) @Nullable String after,
      @RequestParam(name = "limit", defaultValue = "" + JdbcIntakeTopics.PAGE_MAX) int limit) {
    permit(caller);
    if (limit < 1 || limit > JdbcIntakeTopics.PAGE_MAX) {
      throw new InvalidMessageException(
          "limit: " + limit + " (expected: 1.." + JdbcIntakeTopics.PAGE_MAX + ")");
    }
    if (after != null && !after.matches(AFTER)) {
      throw new InvalidMessageException(
          "after: %d characters (expected: at most 249, none of them a control character)"
              .formatted(after.length()));
    }
    List<IntakeTopic> page = topics.page(after, limit);
    return new Registered(page, page.size() < limit ? null : last(page));
  }

  private @Nullable String last(List<IntakeTopic> page) {
    String name = page.get(page.size() - 1).topic();
    return topics.page(name, 1).isEmpty() ? null : name;
  }

  @PutMapping(path = ONE, produces = MediaType.APPLICATION_JSON_VALUE)
  IntakeTopic register(
      @RequestAttribute(AccessFilter.CALLER) Caller caller,
      @PathVariable("topic") String topic,
      HttpServletRequest request)
      throws IOException {
    permit(caller);
    Registration given = bodies.with(request, REGISTRATION_BYTES_MAX, this::registration);
    String by = given.by() == null ? caller.name() : caller.name() + ": " + given.by();
    IntakeTopic registered = register(topic, given, by);
    LOG.info(
        "Topic {} is registered by {}: only marked {}, enabled {}",
        topic,
        caller.name(),
        registered.onlyMarked(),
        registered.enabled());
    return registered;
  }

  private IntakeTopic register(String topic, Registration given, String by) {
    if (topic.equals(deadLetterTopic)) {
      throw new InvalidMessageException(
          "topic: '%s' (expected: another one; the intake puts there what it cannot take)"
              .formatted(deadLetterTopic));
    }
    try {
      return topics
          .change(topic, given.onlyMarked(), given.enabled(), by)
          .orElseThrow(
              () ->
                  new InvalidMessageException(
                      "topics: %d are registered (expected: fewer, to add one); remove some"
                          .formatted(IntakeTopics.TOPICS_MAX)));
    } catch (IllegalArgumentException e) {
      throw new InvalidMessageException(String.valueOf(e.getMessage()));
    }
  }

  @DeleteMapping(path = ONE, produces = MediaType.APPLICATION_JSON_VALUE)
  Removal remove(
      @RequestAttribute(AccessFilter.CALLER) Caller caller, @PathVariable("topic") String topic) {
    permit(caller);
    boolean removed = topics.remove(topic);
    if (removed) {
      LOG.info("Topic {} is removed from the registry by {}", topic, caller.name());
    }
    return new Removal(topic, removed);
  }

  private static void permit(Caller caller) {
    caller.count(1);
    caller.requireOperatorOfAll();
  }

  /** A misspelt field must not register a topic otherwise than was meant. */
  private Registration registration(byte[] body) {
    if (body.length == 0) {
      return new Registration(null, null, null);
    }
    try {
      Registration given = registrations.readValue(body);
      if (given != null) {
        return given;
      }
    } catch (JacksonException e) {
      LOG.debug("A registration cannot be read", e);
    }
    throw new InvalidMessageException(
        "body: no registration (expected: nothing, or"
            + " {\"onlyMarked\":false,\"enabled\":true,\"by\":\"...\"})");
  }
}
