package io.angarium.server.access;

import io.angarium.TimeSource;
import io.angarium.console.access.Operator;
import io.angarium.half.HalfCall;
import io.angarium.half.HalfKey;
import io.angarium.http.half.HalfProblem;
import io.angarium.server.access.Permissions.Denial;
import io.angarium.server.problem.Fault;
import io.angarium.server.problem.ProblemException;
import io.angarium.server.settings.DubboProperties;
import io.angarium.server.settings.Permission;
import io.angarium.server.settings.ServerProperties;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.util.unit.DataSize;

/** Who makes a request, and what it may do. Thread-safe. */
public final class Caller {
  private final String name;
  private final String label;
  private final List<Permissions> permissions;
  private final RateLimit rate;
  private final BooleanSupplier expired;

  private Caller(
      String name,
      String label,
      List<Permissions> permissions,
      RateLimit rate,
      BooleanSupplier expired) {
    this.name = name;
    this.label = label;
    this.permissions = permissions;
    this.rate = rate;
    this.expired = expired;
  }

  /** One whom nothing ends. */
  private Caller(String name, String label, Permissions permissions, RateLimit rate) {
    this(name, label, List.of(permissions), rate, () -> false);
  }

  public static Caller of(String name, ServerProperties.ApiKey given, TimeSource time) {
    return new Caller(
        name,
        "API key '" + name + "'",
        Permissions.of(ServerProperties.PREFIX + ".api-keys." + name, given),
        new RateLimit(given.rate(), time));
  }

  /**
   * Somebody who shows a token.
   *
   * @param name of the caller in it
   * @param permissions of its grants, at least one; what one of them permits is permitted
   * @param rate of this caller, whatever it shows
   * @param expired whether the token has ended: a stream of requests can last for longer
   */
  static Caller withToken(
      String name, List<Permissions> permissions, RateLimit rate, BooleanSupplier expired) {
    return new Caller("token " + name, "the token of '" + name + "'", permissions, rate, expired);
  }

  /** Somebody on this machine, who may do everything. */
  public static Caller local(TimeSource time) {
    return new Caller(
        "local", "a program of this machine", Permissions.all(), new RateLimit(null, time));
  }

  /**
   * Creates the caller that stands for everyone who writes to the topics of the intake.
   *
   * @param limit of every payload, in bytes
   */
  public static Caller kafka(ServerProperties.KafkaIntake given, long limit, TimeSource time) {
    Permissions permissions =
        Permissions.unknown(
            ServerProperties.PREFIX + ".kafka-intake",
            given.businesses(),
            given.destinations(),
            smaller(given.payloadMax(), limit));
    return unknown("kafka-intake", "the intake from Kafka", permissions, time);
  }

  /**
   * Creates the caller that stands for everyone who makes TrustMessage's calls over Dubbo. It has
   * no rate limit: the limit applies to each address instead.
   *
   * @param limit of every payload, in bytes
   */
  public static Caller dubbo(DubboProperties given, long limit, TimeSource time) {
    Permissions permissions =
        Permissions.unknown(
            ServerProperties.PREFIX + ".dubbo",
            given.businesses(),
            given.destinations(),
            smaller(given.payloadMax(), limit));
    return unknown("dubbo", "a caller of TrustMessage's over Dubbo", permissions, time);
  }

  /** So that what is larger is refused in words that name size and limit first. */
  private static long smaller(@Nullable DataSize given, long limit) {
    return given == null ? limit : Math.min(given.toBytes(), limit);
  }

  /** One of many who are not asked who they are. */
  private static Caller unknown(
      String name, String label, Permissions permissions, TimeSource time) {
    return new Caller(name, label, permissions, new RateLimit(null, time));
  }

  public String name() {
    return name;
  }

  /**
   * Takes calls into account.
   *
   * @throws ProblemException if there were too many, or the caller is let in no longer
   */
  public void count(int calls) {
    if (expired.getAsBoolean()) {
      throw new ProblemException(401, HalfProblem.UNAUTHENTICATED, label + " has expired");
    }
    Duration pause = rate.take(calls);
    if (!pause.isZero()) {
      throw new ProblemException(
          429,
          HalfProblem.TOO_MANY,
          label + " makes more calls in a second than it may; come again later",
          pause);
    }
  }

  /** Takes calls of a request into account that was let in: its next ones pay for them. */
  public void countMore(int calls) {
    rate.charge(Math.max(0, calls)); // an empty batch gives nothing back
  }

  /** What is wrong with a question, if anything is. */
  public Optional<Fault> faultOf(HalfKey key) {
    return fault(each -> each.denial(label, Permission.READ, key));
  }

  /** What is wrong with what a person wants to see or do, if anything is. */
  public Optional<Fault> faultOfOperator(HalfKey key) {
    return fault(each -> each.denial(label, Permission.OPERATE, key));
  }

  /** Whether a person may see it among others. */
  public boolean mayOperate(HalfKey key) {
    return faultOfOperator(key).isEmpty();
  }

  /** What is wrong with a call, if anything is. */
  public Optional<Fault> faultOf(HalfCall call) {
    return fault(each -> each.denial(label, call));
  }

  /** None if anything permits it; else that of what comes nearest. */
  private Optional<Fault> fault(Function<Permissions, Optional<Denial>> check) {
    Denial nearest = null;
    for (Permissions each : permissions) {
      Optional<Denial> denial = check.apply(each);
      if (denial.isEmpty()) {
        return Optional.empty();
      }
      if (nearest == null || denial.get().depth() > nearest.depth()) {
        nearest = denial.get();
      }
    }
    return Optional.ofNullable(nearest).map(Denial::fault);
  }

  /**
   * Refuses a caller that is not allowed to operate at all.
   *
   * @throws ProblemException if so
   */
  public void requireOperator() {
    if (permissions.stream().noneMatch(each -> each.has(Permission.OPERATE))) {
      throw permissions.get(0).noOperator(label).exception();
    }
  }

  /**
   * Refuses a caller that is not allowed to operate for all businesses.
   *
   * @throws ProblemException if so
   */
  public void requireOperatorOfAll() {
    if (permissions.stream().noneMatch(Permissions::operatesAll)) {
      throw permissions.get(0).noOperatorOfAll(label).exception();
    }
  }

  /** What is wrong with a look at the metrics, if anything is. */
  Optional<Fault> faultOfMeasuring() {
    return permissions.stream().anyMatch(each -> each.has(Permission.MEASURE))
        ? Optional.empty()
        : Optional.of(permissions.get(0).noMeasuring(label));
  }

  /** The same caller as the console knows it. */
  public Operator operator() {
    return new Operator(name, permissions.stream().map(Permissions::grant).toList());
  }
}
