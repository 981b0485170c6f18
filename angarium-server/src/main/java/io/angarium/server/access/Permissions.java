package io.angarium.server.access;

import io.angarium.console.access.Grant;
import io.angarium.console.access.Right;
import io.angarium.half.HalfCall;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfStep;
import io.angarium.http.half.HalfProblem;
import io.angarium.server.problem.Fault;
import io.angarium.server.settings.Permission;
import io.angarium.server.settings.Rights;
import io.angarium.server.settings.ServerProperties;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.springframework.util.unit.DataSize;

/** What one entry of the configuration lets its callers do. Immutable. */
final class Permissions {
  private static final Map<Permission, Right> RIGHTS =
      Map.of(
          Permission.VIEW, Right.VIEW,
          Permission.PAYLOAD, Right.PAYLOAD,
          Permission.OPERATE, Right.OPERATE,
          Permission.ADMIN, Right.ADMIN);

  private final String property;
  private final Patterns businesses;
  private final Patterns destinations;
  private final Set<Permission> steps;
  private final long payloadBytesMax;

  /**
   * Why something is not permitted. Immutable.
   *
   * @param depth how far the call came; a greater one is nearer to what was meant
   * @param fault as the caller is told
   */
  record Denial(int depth, Fault fault) {}

  private Permissions(
      String property,
      List<String> businesses,
      List<String> destinations,
      Set<Permission> steps,
      long payloadBytesMax) {
    this.property = property;
    this.businesses = new Patterns(businesses);
    this.destinations = new Patterns(destinations);
    this.steps = Set.copyOf(steps);
    this.payloadBytesMax = payloadBytesMax;
  }

  /**
   * Returns the permissions of a key or a grant.
   *
   * @param property the property below which they are configured
   */
  static Permissions of(String property, Rights given) {
    DataSize payloadMax = given.payloadMax();
    return new Permissions(
        property,
        given.businesses(),
        given.destinations(),
        given.steps(),
        payloadMax == null ? Long.MAX_VALUE : payloadMax.toBytes());
  }

  /** Returns the permissions of a program of this machine: all of them. */
  static Permissions all() {
    List<String> any = List.of("*");
    return new Permissions(
        ServerProperties.PREFIX, any, any, EnumSet.allOf(Permission.class), Long.MAX_VALUE);
  }

  /**
   * Returns the permissions that all callers share who are not asked who they are.
   *
   * @param property the property below which they are configured
   */
  static Permissions unknown(
      String property, List<String> businesses, List<String> destinations, long payloadBytesMax) {
    return new Permissions(
        property,
        businesses,
        destinations,
        EnumSet.of(Permission.PREPARE, Permission.COMMIT, Permission.ROLLBACK),
        payloadBytesMax);
  }

  boolean has(Permission permission) {
    return steps.contains(permission);
  }

  /**
   * Why something may not be done with a half message; empty if it may.
   *
   * @param label who wants it
   */
  Optional<Denial> denial(String label, Permission permission, HalfKey key) {
    String what = permission.name().toLowerCase(Locale.ROOT);
    if (!has(permission)) {
      return notPermitted(0, label, what, "steps");
    }
    return businesses.match(key.business())
        ? Optional.empty()
        : notPermitted(
            1, label, what + " half messages of business '" + key.business() + "'", "businesses");
  }

  /** Why a call may not be made, likewise. */
  Optional<Denial> denial(String label, HalfCall call) {
    Optional<Denial> denial = denial(label, permission(call.step()), call.key());
    return denial.isPresent() || !(call instanceof HalfCall.Prepare prepare)
        ? denial
        : denial(label, prepare);
  }

  private Optional<Denial> denial(String label, HalfCall.Prepare prepare) {
    String destination = prepare.message().message().destination().toString();
    if (!destinations.match(destination)) {
      return notPermitted(2, label, "prepare messages to " + destination, "destinations");
    }
    int length = prepare.message().message().payload().length;
    return length <= payloadBytesMax
        ? Optional.empty()
        : denied(
            3,
            413,
            HalfProblem.TOO_LARGE,
            "payload of %d bytes (expected: at most %d for %s); raise %s.payload-max, or angarium.limits.payload"
                .formatted(length, payloadBytesMax, label, property));
  }

  private static Permission permission(HalfStep step) {
    return switch (step) {
      case PREPARE -> Permission.PREPARE;
      case COMMIT, COMMIT_OR_REMEMBER -> Permission.COMMIT;
      case ROLLBACK, ROLLBACK_OR_REMEMBER -> Permission.ROLLBACK;
      case GIVE_UP, RESUME -> throw new IllegalArgumentException(step + " is no call");
    };
  }

  private Optional<Denial> notPermitted(int depth, String label, String what, String part) {
    return denied(
        depth,
        403,
        HalfProblem.NOT_PERMITTED,
        "%s may not %s; permit it by %s.%s".formatted(label, what, property, part));
  }

  private static Optional<Denial> denied(int depth, int status, String code, String detail) {
    return Optional.of(new Denial(depth, new Fault(status, code, detail)));
  }

  /** Why nobody with these may see the metrics. */
  Fault noMeasuring(String label) {
    return notPermitted(0, label, "see the metrics", "steps").orElseThrow().fault();
  }

  /** Whether it is permitted to operate whatever the business. */
  boolean operatesAll() {
    return has(Permission.OPERATE) && businesses.matchAll();
  }

  /** Why nobody with these may operate whatever the business. */
  Fault noOperatorOfAll(String label) {
    return has(Permission.OPERATE)
        ? notPermitted(1, label, "operate for all businesses ('*')", "businesses")
            .orElseThrow()
            .fault()
        : noOperator(label);
  }

  /** Why nobody with these may operate at all. */
  Fault noOperator(String label) {
    return notPermitted(0, label, "operate", "steps").orElseThrow().fault();
  }

  /** What they permit at the console. */
  Grant grant() {
    Set<Right> rights = EnumSet.noneOf(Right.class);
    RIGHTS.forEach(
        (permission, right) -> {
          if (has(Permission.VIEW) && has(permission)) {
            rights.add(right);
          }
        });
    return new Grant(rights, destinations.texts(), businesses.texts());
  }
}
