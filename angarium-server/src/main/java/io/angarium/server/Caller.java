package io.angarium.server;

import io.angarium.TimeSource;
import io.angarium.half.HalfCall;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfStep;
import io.angarium.http.HalfProblem;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.springframework.util.unit.DataSize;

/** Who makes a request, and what it may do. Thread-safe. */
final class Caller {
  private final String name;
  private final String label;
  private final String property;
  private final Patterns businesses;
  private final Patterns destinations;
  private final Set<Permission> permissions;
  private final long payloadBytesMax;
  private final RateLimit rate;

  private Caller(
      String name,
      String label,
      String property,
      Patterns businesses,
      Patterns destinations,
      Set<Permission> permissions,
      long payloadBytesMax,
      RateLimit rate) {
    this.name = name;
    this.label = label;
    this.property = property;
    this.businesses = businesses;
    this.destinations = destinations;
    this.permissions = permissions;
    this.payloadBytesMax = payloadBytesMax;
    this.rate = rate;
  }

  static Caller of(String name, ServerProperties.ApiKey given, TimeSource time) {
    DataSize payloadMax = given.payloadMax();
    return new Caller(
        name,
        "API key '" + name + "'",
        ServerProperties.PREFIX + ".api-keys." + name,
        new Patterns(given.businesses()),
        new Patterns(given.destinations()),
        Set.copyOf(given.steps()),
        payloadMax == null ? Long.MAX_VALUE : payloadMax.toBytes(),
        new RateLimit(given.rate(), time));
  }

  /** Somebody on this machine, who may do everything. */
  static Caller local(TimeSource time) {
    Patterns any = new Patterns(List.of("*"));
    return new Caller(
        "local",
        "a program of this machine",
        ServerProperties.PREFIX,
        any,
        any,
        EnumSet.allOf(Permission.class),
        Long.MAX_VALUE,
        new RateLimit(null, time));
  }

  /** Whoever writes to the topics that half messages are taken from. */
  static Caller kafka(ServerProperties.KafkaIntake given, TimeSource time) {
    return unknown(
        "kafka-intake", "the intake from Kafka", given.businesses(), given.destinations(), time);
  }

  /** Whoever reaches the port of Dubbo. */
  static Caller dubbo(DubboProperties given, TimeSource time) {
    return unknown("dubbo", "a caller over Dubbo", given.businesses(), given.destinations(), time);
  }

  /** One of many who are not asked who they are, by the name of their properties. */
  private static Caller unknown(
      String name,
      String label,
      List<String> businesses,
      List<String> destinations,
      TimeSource time) {
    return new Caller(
        name,
        label,
        ServerProperties.PREFIX + "." + name,
        new Patterns(businesses),
        new Patterns(destinations),
        EnumSet.of(Permission.PREPARE, Permission.COMMIT, Permission.ROLLBACK),
        Long.MAX_VALUE,
        new RateLimit(null, time));
  }

  String name() {
    return name;
  }

  /**
   * Takes calls into account.
   *
   * @throws ProblemException if there were too many
   */
  void count(int calls) {
    Duration pause = rate.take(calls);
    if (!pause.isZero()) {
      throw new ProblemException(
          429,
          HalfProblem.TOO_MANY,
          label + " makes more calls in a second than it may; come again later",
          pause);
    }
  }

  /** What is wrong with a question, if anything is. */
  Optional<Fault> faultOf(HalfKey key) {
    return permitted(Permission.READ, key);
  }

  /** What is wrong with what a person wants to see or do, if anything is. */
  Optional<Fault> faultOfOperator(HalfKey key) {
    return permitted(Permission.OPERATE, key);
  }

  /** Whether a person may see it among others. */
  boolean mayOperate(HalfKey key) {
    return faultOfOperator(key).isEmpty();
  }

  /** What is wrong with a call, if anything is. */
  Optional<Fault> faultOf(HalfCall call) {
    Optional<Fault> fault = permitted(permission(call.step()), call.key());
    return fault.isPresent() || !(call instanceof HalfCall.Prepare prepare)
        ? fault
        : faultOf(prepare);
  }

  private Optional<Fault> faultOf(HalfCall.Prepare prepare) {
    String destination = prepare.message().message().destination().toString();
    if (!destinations.match(destination)) {
      return notPermitted("prepare messages to " + destination, "destinations");
    }
    int length = prepare.message().message().payload().length;
    if (length > payloadBytesMax) {
      return Optional.of(
          new Fault(
              413,
              HalfProblem.TOO_LARGE,
              "payload of %d bytes (expected: at most %d for %s)"
                  .formatted(length, payloadBytesMax, label)));
    }
    return Optional.empty();
  }

  private static Permission permission(HalfStep step) {
    return switch (step) {
      case PREPARE -> Permission.PREPARE;
      case COMMIT, COMMIT_OR_REMEMBER -> Permission.COMMIT;
      case ROLLBACK, ROLLBACK_OR_REMEMBER -> Permission.ROLLBACK;
      case GIVE_UP, RESUME -> throw new IllegalArgumentException(step + " is no call");
    };
  }

  private Optional<Fault> permitted(Permission permission, HalfKey key) {
    String what = permission.name().toLowerCase(Locale.ROOT);
    if (!has(permission)) {
      return notPermitted(what, "steps");
    }
    return businesses.match(key.business())
        ? Optional.empty()
        : notPermitted(what + " half messages of business '" + key.business() + "'", "businesses");
  }

  /**
   * Refuses who may not operate at all.
   *
   * @throws ProblemException if so
   */
  void requireOperator() {
    if (!has(Permission.OPERATE)) {
      throw notPermitted("operate", "steps").orElseThrow().exception();
    }
  }

  private boolean has(Permission permission) {
    return permissions.contains(permission);
  }

  private Optional<Fault> notPermitted(String what, String part) {
    return Optional.of(
        new Fault(
            403,
            HalfProblem.NOT_PERMITTED,
            "%s may not %s; permit it by %s.%s".formatted(label, what, property, part)));
  }
}
