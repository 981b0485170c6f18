package io.angarium.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.angarium.BusinessKey;
import io.angarium.Message;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What a test wants to know of a message; what it does not name may be anything. Immutable.
 *
 * <pre>{@code
 * ExpectedMessage.to("kafka:orders").key("4711").type("order-paid")
 * }</pre>
 */
public final class ExpectedMessage {
  /** One part: how it is called, what is expected, what it is, and whether that is right. */
  private record Part(
      String name,
      String expected,
      Function<Message, @Nullable Object> actual,
      Predicate<Message> right) {
    String difference(Message message) {
      return name + ": " + actual.apply(message) + " (expected: " + expected + ")";
    }
  }

  private final List<Part> parts;

  private ExpectedMessage(List<Part> parts) {
    this.parts = List.copyOf(parts);
  }

  /**
   * A message to a destination.
   *
   * @param destination in its text form, e.g. {@code kafka:orders}
   */
  public static ExpectedMessage to(String destination) {
    return new ExpectedMessage(List.of())
        .equal("destination", destination, ExpectedMessage::target);
  }

  /** A copy that wants this key; null for none. */
  public ExpectedMessage key(@Nullable String key) {
    return equal("key", key, Message::key);
  }

  /** A copy that wants this logical type; null for none. */
  public ExpectedMessage type(@Nullable String type) {
    return equal("type", type, Message::type);
  }

  /** A copy that wants this header with this value; null if it must be missing. */
  public ExpectedMessage header(String name, @Nullable String value) {
    return equal("header " + name, value, message -> message.headers().asMap().get(name));
  }

  /** A copy that wants this business type and key. */
  public ExpectedMessage business(String type, String key) {
    return equal("business", type + "/" + key, ExpectedMessage::business);
  }

  /** A copy that wants this text in UTF-8 as payload. */
  public ExpectedMessage payload(String text) {
    return equal("payload", text, message -> new String(message.payload(), UTF_8));
  }

  /** A copy that wants these bytes as payload. */
  public ExpectedMessage payload(byte[] bytes) {
    byte[] wanted = bytes.clone();
    return with(
        new Part(
            "payload",
            Arrays.toString(wanted),
            message -> Arrays.toString(message.payload()),
            message -> Arrays.equals(message.payload(), wanted)));
  }

  /**
   * A copy that wants something else as well.
   *
   * @param description of what is expected, for the failure
   */
  public ExpectedMessage matching(String description, Predicate<Message> condition) {
    return with(new Part("message", description, PublishedMessages::text, condition));
  }

  private ExpectedMessage equal(
      String name, @Nullable Object wanted, Function<Message, @Nullable Object> actual) {
    return with(
        new Part(
            name,
            String.valueOf(wanted),
            actual,
            message -> Objects.equals(wanted, actual.apply(message))));
  }

  private ExpectedMessage with(Part part) {
    List<Part> more = new ArrayList<>(parts);
    more.add(part);
    return new ExpectedMessage(more);
  }

  private static String target(Message message) {
    return message.destination().toString();
  }

  private static @Nullable String business(Message message) {
    BusinessKey business = message.business();
    return business == null ? null : business.type() + "/" + business.key();
  }

  /** True if the message is as expected. */
  public boolean matches(Message message) {
    return parts.stream().allMatch(part -> part.right().test(message));
  }

  /** What is different from the expectation, each with both; empty if the message matches. */
  public List<String> differences(Message message) {
    return parts.stream()
        .filter(part -> !part.right().test(message))
        .map(part -> part.difference(message))
        .toList();
  }

  /** Each part with its value. */
  @Override
  public String toString() {
    List<String> texts = new ArrayList<>();
    for (Part part : parts) {
      texts.add(part.name() + " " + part.expected());
    }
    return String.join(", ", texts);
  }
}
