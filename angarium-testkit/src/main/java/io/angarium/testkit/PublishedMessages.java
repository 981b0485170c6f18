package io.angarium.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.angarium.Message;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/**
 * What committed transactions have published, and what a test says about it. Fills while the test
 * runs; every assertion looks at what is there now, and returns this object. Comes from {@code
 * InMemoryDatabase} and {@code RecordingOutbox}, or is a bean in tests with Spring.
 *
 * <pre>{@code
 * published.during(() -> shop.pay("4711"))
 *     .containsExactly(ExpectedMessage.to("kafka:orders").key("4711").type("order-paid"));
 * }</pre>
 *
 * Thread-safe.
 */
public final class PublishedMessages {
  private static final int PAYLOAD_SHOWN_MAX = 200;

  private final List<Message> messages = new ArrayList<>();

  private final Supplier<String> hint;

  /** Creates an empty one, for somebody who calls {@link #record}. */
  public PublishedMessages() {
    this(() -> "");
  }

  /**
   * Creates an empty one whose failures say more.
   *
   * @param hint asked when an assertion fails, on its thread; empty if there is nothing to say
   */
  public PublishedMessages(Supplier<String> hint) {
    this.hint = hint;
  }

  /** Adds what a transaction has published, once it has committed. */
  public synchronized void record(List<Message> committed) {
    messages.addAll(committed);
  }

  /** All of them, in the order of the commits, and within a transaction in the order sent. */
  public synchronized List<Message> messages() {
    return List.copyOf(messages);
  }

  /** Forgets all. */
  public synchronized void clear() {
    messages.clear();
  }

  /** Something that may publish. */
  @FunctionalInterface
  public interface Work<X extends Exception> {
    /** Does it. */
    void run() throws X;
  }

  /**
   * Runs work and returns what is published meanwhile, also by other threads. The messages of a
   * transaction belong to it if the transaction has committed when the work returns.
   *
   * @throws X what the work threw
   */
  public <X extends Exception> PublishedMessages during(Work<X> work) throws X {
    int before = messages().size();
    work.run();
    List<Message> now = messages();
    PublishedMessages meanwhile = new PublishedMessages(hint);
    meanwhile.record(now.subList(Math.min(before, now.size()), now.size()));
    return meanwhile;
  }

  /**
   * That these were published in this order, and nothing else.
   *
   * @throws AssertionError if not; it names each difference
   */
  public PublishedMessages containsExactly(ExpectedMessage... expected) {
    List<Message> found = messages();
    List<String> faults = new ArrayList<>();
    for (int i = 0; i < Math.max(expected.length, found.size()); i++) {
      if (i >= found.size()) {
        faults.add((i + 1) + ". is missing: " + expected[i]);
      } else if (i >= expected.length) {
        faults.add((i + 1) + ". is too many: " + text(found.get(i)));
      } else {
        for (String difference : expected[i].differences(found.get(i))) {
          faults.add((i + 1) + ". has " + difference);
        }
      }
    }
    return check("exactly these, in this order", List.of(expected), found, faults);
  }

  /**
   * That these were published in any order, and nothing else.
   *
   * @throws AssertionError if not; it names what is missing and what is too many
   */
  public PublishedMessages containsExactlyInAnyOrder(ExpectedMessage... expected) {
    List<Message> found = messages();
    Pairing pairing = Pairing.of(List.of(expected), found);
    List<String> faults = new ArrayList<>(missing(pairing));
    pairing.unpaired().forEach(message -> faults.add("too many: " + text(message)));
    return check("exactly these, in any order", List.of(expected), found, faults);
  }

  /**
   * That these are among what was published, each by a message of its own.
   *
   * @throws AssertionError if not; it names what is missing
   */
  public PublishedMessages contains(ExpectedMessage... expected) {
    List<Message> found = messages();
    List<String> faults = missing(Pairing.of(List.of(expected), found));
    return check("at least these", List.of(expected), found, faults);
  }

  private static List<String> missing(Pairing pairing) {
    return pairing.missing().stream().map(expected -> "missing: " + expected).toList();
  }

  /**
   * That nothing like this was published.
   *
   * @throws AssertionError if it was; it shows the message
   */
  public PublishedMessages doesNotContain(ExpectedMessage unwanted) {
    List<Message> found = messages();
    List<String> faults =
        found.stream().filter(unwanted::matches).map(m -> "unwanted: " + text(m)).toList();
    return check("nothing like this", List.of(unwanted), found, faults);
  }

  /**
   * That nothing was published, as after a rollback.
   *
   * @throws AssertionError if something was; it shows the messages
   */
  public PublishedMessages isEmpty() {
    return containsExactly();
  }

  private PublishedMessages check(
      String what, List<ExpectedMessage> expected, List<Message> found, List<String> faults) {
    if (!faults.isEmpty()) {
      throw new AssertionError(
          "Expected "
              + what
              + ":"
              + lines(expected.stream().map(ExpectedMessage::toString).toList())
              + "\nbut published:"
              + lines(found.stream().map(PublishedMessages::text).toList())
              + "\nbecause:\n  "
              + String.join("\n  ", faults)
              + (hint.get().isEmpty() ? "" : "\n" + hint.get()));
    }
    return this;
  }

  private static String lines(List<String> texts) {
    StringBuilder lines = new StringBuilder(texts.isEmpty() ? "\n  nothing" : "");
    for (int i = 0; i < texts.size(); i++) {
      lines.append("\n  ").append(i + 1).append(". ").append(texts.get(i));
    }
    return lines.toString();
  }

  /** A message for a person, with its payload if that is a short text. */
  static String text(Message message) {
    StringBuilder text = new StringBuilder("destination ").append(message.destination());
    if (message.key() != null) {
      text.append(", key ").append(message.key());
    }
    if (message.type() != null) {
      text.append(", type ").append(message.type());
    }
    if (!message.headers().asMap().isEmpty()) {
      text.append(", headers ").append(message.headers().asMap());
    }
    return text.append(", payload ").append(payload(message.payload())).toString();
  }

  private static String payload(byte[] payload) {
    String text = new String(payload, UTF_8);
    boolean shown =
        payload.length <= PAYLOAD_SHOWN_MAX && Arrays.equals(payload, text.getBytes(UTF_8));
    return shown ? text : "of " + payload.length + " bytes";
  }

  /** One line for each message. */
  @Override
  public String toString() {
    return "PublishedMessages:" + lines(messages().stream().map(PublishedMessages::text).toList());
  }
}
