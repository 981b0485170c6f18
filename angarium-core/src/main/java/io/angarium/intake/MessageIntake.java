package io.angarium.intake;

import io.angarium.Destination;
import io.angarium.InvalidMessageException;
import io.angarium.Message;
import io.angarium.MessageLimits;
import io.angarium.TimeSource;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Turns what a user sends into what a store writes: applies decorators (trace context), checks the
 * limits, gives the id and the partition. Used by every way into the outbox. Thread-safe if its
 * parts are.
 */
public final class MessageIntake {
  private final MessageLimits limits;
  private final Partitioning partitioning;
  private final @Nullable String createdByDefault;
  private final List<UnaryOperator<Message>> decorators;
  private final MessageIds ids;
  private final TimeSource time;
  private final LongSupplier random;
  private final Consumer<Destination> addresses;
  private final Consumer<Destination> transports;

  /**
   * An intake with the standard limits and partitioning, without decorators.
   *
   * @param createdByDefault creator of messages that name none, e.g. the application; null for none
   */
  public static MessageIntake of(@Nullable String createdByDefault) {
    return new MessageIntake(
        MessageLimits.DEFAULTS,
        Partitioning.DEFAULTS,
        createdByDefault,
        List.of(),
        TimeSource.SYSTEM,
        () -> ThreadLocalRandom.current().nextLong());
  }

  /**
   * Creates an intake.
   *
   * @param createdByDefault creator of messages that name none, e.g. the application; null for none
   * @param decorators applied in order to every message before it is checked
   * @param random a source of random 64-bit numbers, thread-safe
   */
  public MessageIntake(
      MessageLimits limits,
      Partitioning partitioning,
      @Nullable String createdByDefault,
      List<UnaryOperator<Message>> decorators,
      TimeSource time,
      LongSupplier random) {
    this(
        limits,
        partitioning,
        createdByDefault,
        decorators,
        time,
        random,
        AddressForm::check,
        destination -> {});
  }

  private MessageIntake(
      MessageLimits limits,
      Partitioning partitioning,
      @Nullable String createdByDefault,
      List<UnaryOperator<Message>> decorators,
      TimeSource time,
      LongSupplier random,
      Consumer<Destination> addresses,
      Consumer<Destination> transports) {
    this.limits = limits;
    this.partitioning = partitioning;
    this.createdByDefault = createdByDefault;
    this.decorators = List.copyOf(decorators);
    this.time = time;
    this.ids = new MessageIds(time, random);
    this.random = random;
    this.addresses = addresses;
    this.transports = transports;
  }

  /**
   * A copy that also runs this check on the destination of each message.
   *
   * @param check throws an {@link InvalidMessageException} for a destination that is none
   */
  public MessageIntake checking(Consumer<Destination> check) {
    return copy(addresses.andThen(check), transports);
  }

  /**
   * A copy that also checks whether there is a transport for the destination, mostly by an {@code
   * AddressCheck}, which knows the transports of this process.
   *
   * @param check throws an {@link InvalidMessageException} for a destination that is none
   */
  public MessageIntake checkingTransports(Consumer<Destination> check) {
    return copy(addresses, transports.andThen(check));
  }

  /**
   * A copy without the checks of {@link #checkingTransports}: for messages that no relay of this
   * process sends, but a server or another client.
   */
  public MessageIntake sentElsewhere() {
    return copy(addresses, destination -> {});
  }

  private MessageIntake copy(
      Consumer<Destination> ofAddresses, Consumer<Destination> ofTransports) {
    return new MessageIntake(
        limits,
        partitioning,
        createdByDefault,
        decorators,
        time,
        random,
        ofAddresses,
        ofTransports);
  }

  /** The clocks of the sender. */
  public TimeSource time() {
    return time;
  }

  /** How messages are spread over partitions. */
  public Partitioning partitioning() {
    return partitioning;
  }

  /** The largest message that is taken in. */
  public MessageLimits limits() {
    return limits;
  }

  /**
   * Checks a destination as {@link #accept} does.
   *
   * @throws InvalidMessageException if its address has a form that its transport cannot know, or a
   *     check of this intake refuses it
   */
  public void check(Destination destination) {
    addresses.accept(destination);
    transports.accept(destination);
  }

  /**
   * Takes a message in.
   *
   * @param handover chooses the partition of a keyless message
   * @throws InvalidMessageException if it breaks a limit, or its address has a form that its
   *     transport cannot know, see {@link Destination}
   */
  public NewMessage accept(Message message, Handover handover) {
    Message accepted = decorate(message);
    limits.check(accepted);
    check(accepted.destination());
    String key = accepted.key();
    int partition =
        key == null
            ? handover.keylessPartition(partitioning, random.getAsLong())
            : partitioning.ofKeyHash(Partitioning.keyHash(accepted.destination(), key));
    return new NewMessage(ids.next(), partition, accepted);
  }

  private Message decorate(@Nullable Message message) {
    if (message == null) {
      throw new InvalidMessageException("message: null (expected: a message)");
    }
    Message decorated = message;
    for (UnaryOperator<Message> decorator : decorators) {
      decorated = decorator.apply(decorated);
    }
    if (decorated.createdBy() == null && createdByDefault != null) {
      return decorated.createdBy(createdByDefault);
    }
    return decorated;
  }
}
