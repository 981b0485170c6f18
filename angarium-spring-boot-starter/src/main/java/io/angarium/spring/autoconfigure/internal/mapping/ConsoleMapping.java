package io.angarium.spring.autoconfigure.internal.mapping;

import io.angarium.TimeSource;
import io.angarium.console.access.ApplicationAccess;
import io.angarium.console.access.ConsoleAccess;
import io.angarium.console.access.Grant;
import io.angarium.console.access.KeyAccess;
import io.angarium.console.access.KeyAccess.HashedKey;
import io.angarium.console.access.KeyHash;
import io.angarium.console.access.Operator;
import io.angarium.console.access.Right;
import io.angarium.console.access.TicketAccess;
import io.angarium.console.settings.ConsoleSettings;
import io.angarium.spring.settings.ConsoleProperties;
import io.angarium.spring.settings.ConsoleProperties.ConsoleWay;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.springframework.util.ClassUtils;

/** The console as its properties describe it. */
public final class ConsoleMapping {
  private static final String SPRING_SECURITY =
      "org.springframework.security.web.SecurityFilterChain";

  private ConsoleMapping() {}

  /** What is wrong, by names below {@code angarium.console}. */
  public static List<String> faults(ConsoleProperties given) {
    List<String> faults = new ArrayList<>();
    List<Runnable> parts =
        List.of(
            () -> settings(given, "any"), () -> path(given), () -> ways(given, TimeSource.SYSTEM));
    for (Runnable part : parts) {
      try {
        part.run();
      } catch (IllegalArgumentException e) {
        faults.add(String.valueOf(e.getMessage()));
      }
    }
    return faults;
  }

  /** The settings. */
  public static ConsoleSettings settings(ConsoleProperties given, String version) {
    return new ConsoleSettings(
        version,
        given.readOnly(),
        given.operatorsReveal(),
        given.correct(),
        Set.copyOf(given.maskedFields()),
        given.cookieSecret(),
        given.traceUrl(),
        given.logUrl());
  }

  /** Where the console is, without a slash at its end. */
  public static String path(ConsoleProperties given) {
    String path = Objects.requireNonNullElse(given.path(), ConsoleProperties.PATH);
    if (!path.matches("(/[A-Za-z0-9_.-]+)+")) {
      throw new IllegalArgumentException(
          "path: '%s' (expected: one like %s)".formatted(path, ConsoleProperties.PATH));
    }
    return path;
  }

  /** The ways in that the properties name, or that fit what is there; perhaps none. */
  public static List<ConsoleAccess> ways(ConsoleProperties given, TimeSource time) {
    List<ConsoleAccess> ways = new ArrayList<>();
    for (ConsoleWay way : wanted(given)) {
      ways.add(
          switch (way) {
            case APPLICATION -> application(given.roles());
            case KEYS -> new KeyAccess(keys(given));
            case LOCAL -> new TicketAccess(time);
          });
    }
    return ways;
  }

  private static Set<ConsoleWay> wanted(ConsoleProperties given) {
    if (!given.access().isEmpty()) {
      return EnumSet.copyOf(given.access());
    }
    EnumSet<ConsoleWay> ways = EnumSet.noneOf(ConsoleWay.class);
    if (ClassUtils.isPresent(SPRING_SECURITY, ConsoleMapping.class.getClassLoader())) {
      ways.add(ConsoleWay.APPLICATION);
    }
    if (!given.keys().isEmpty()) {
      ways.add(ConsoleWay.KEYS);
    }
    return ways;
  }

  private static ApplicationAccess application(ConsoleProperties.Roles roles) {
    return new ApplicationAccess(
        Objects.requireNonNullElse(roles.viewer(), "ANGARIUM_VIEWER"),
        Objects.requireNonNullElse(roles.operator(), "ANGARIUM_OPERATOR"),
        Objects.requireNonNullElse(roles.admin(), "ANGARIUM_ADMIN"));
  }

  private static List<HashedKey> keys(ConsoleProperties given) {
    if (given.keys().isEmpty()) {
      throw new IllegalArgumentException(
          "access: keys (expected: keys besides, angarium.console.keys.<name>.hashes)");
    }
    List<HashedKey> keys = new ArrayList<>();
    given.keys().forEach((name, key) -> keys.addAll(hashed(name, key)));
    return keys;
  }

  private static List<HashedKey> hashed(String name, ConsoleProperties.Key key) {
    Grant grant = new Grant(rights(key.role()), key.destinations(), key.businesses());
    Operator operator = new Operator(name, List.of(grant));
    if (key.hashes().isEmpty() || !key.hashes().stream().allMatch(KeyHash::isHash)) {
      throw new IllegalArgumentException(
          "keys.%s.hashes: %d, not each a hash (expected: at least one, each 'sha256:' and 64 hexadecimal digits)"
              .formatted(name, key.hashes().size()));
    }
    return key.hashes().stream().map(hash -> new HashedKey(new KeyHash(hash), operator)).toList();
  }

  private static Set<Right> rights(ConsoleProperties.ConsoleRole role) {
    return switch (role) {
      case VIEWER -> Right.VIEWER;
      case OPERATOR -> Right.OPERATOR;
      case ADMIN -> Right.ALL;
    };
  }
}
