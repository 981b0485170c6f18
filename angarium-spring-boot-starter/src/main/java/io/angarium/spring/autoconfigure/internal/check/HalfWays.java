package io.angarium.spring.autoconfigure.internal.check;

import io.angarium.ConfigurationException;
import io.angarium.half.TokenSource;
import io.angarium.spring.autoconfigure.internal.mapping.HalfDubboMapping;
import io.angarium.spring.autoconfigure.internal.mapping.HalfGrpcMapping;
import io.angarium.spring.settings.AngariumProperties;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;

/** The ways to a server of half messages. An application has at most one of them. */
public final class HalfWays {
  private static final String GRPC = "io.angarium.grpc.GrpcHalfMessages";
  private static final String DUBBO = "io.angarium.dubbo.DubboHalfMessages";
  private static final String PREFIX = "angarium.half.";

  private HalfWays() {}

  /**
   * What is wrong with which of them is taken.
   *
   * @param present whether a class is there
   */
  static List<String> of(AngariumProperties.Half given, Predicate<String> present) {
    List<String> faults = new ArrayList<>();
    Map<String, String> servers = servers(given);
    if (servers.size() > 1) {
      faults.add(
          "%s: given (expected: one way to one server, by http, grpc or dubbo)"
              .formatted(String.join(", ", servers.keySet())));
    }
    if (given.grpc().isWithoutServer()) {
      faults.add(withoutServer("grpc", "grpcs://centre:9090"));
    }
    if (given.dubbo().isWithoutServer()) {
      faults.add(withoutServer("dubbo", "dubbo://centre:20880"));
    }
    if (given.grpc().server() != null && !present.test(GRPC)) {
      faults.add(withoutModule("grpc"));
    }
    if (given.dubbo().server() != null && !present.test(DUBBO)) {
      faults.add(withoutModule("dubbo"));
    }
    return faults;
  }

  /** API keys that are given where a bean of {@link TokenSource} gives what is shown. */
  static List<String> keysBesidesTokens(AngariumProperties.Half given) {
    List<String> faults = new ArrayList<>();
    keyBesidesTokens(faults, "http", given.http().apiKey());
    keyBesidesTokens(faults, "grpc", given.grpc().apiKey());
    keyBesidesTokens(faults, "dubbo", given.dubbo().apiKey());
    return faults;
  }

  private static void keyBesidesTokens(List<String> faults, String way, @Nullable String apiKey) {
    if (apiKey != null) {
      faults.add(
          PREFIX
              + way
              + ".api-key: given (expected: none besides a bean of TokenSource, whose tokens are"
              + " shown in its place)");
    }
  }

  /**
   * The source of tokens, if there is one. That there is a key as well has been listed with the
   * other faults, unless the bean is one of a factory that does not say what it makes.
   *
   * @param apiKey of the way that is taken
   * @throws ConfigurationException if both are given
   */
  public static @Nullable TokenSource token(
      String way, @Nullable String apiKey, ObjectProvider<TokenSource> beans) {
    TokenSource token = beans.getIfAvailable();
    List<String> faults = new ArrayList<>();
    if (token != null) {
      keyBesidesTokens(faults, way, apiKey);
    }
    if (!faults.isEmpty()) {
      throw new ConfigurationException(faults);
    }
    return token;
  }

  private static Map<String, String> servers(AngariumProperties.Half given) {
    Map<String, String> servers = new TreeMap<>();
    put(servers, "http", given.http().server());
    put(servers, "grpc", given.grpc().server());
    put(servers, "dubbo", given.dubbo().server());
    return servers;
  }

  private static void put(Map<String, String> servers, String way, @Nullable String server) {
    if (server != null) {
      servers.put(PREFIX + way + ".server", server);
    }
  }

  private static String withoutServer(String way, String example) {
    return PREFIX
        + "%s.server: none (expected: e.g. %s, as other properties of it are set)"
            .formatted(way, example);
  }

  private static String withoutModule(String way) {
    return MissingModule.behindValue(PREFIX + way + ".server", "angarium-" + way);
  }

  /** What checks those that are taken, each throwing what is wrong. */
  static List<Runnable> checks(AngariumProperties.Half given, Predicate<String> present) {
    List<Runnable> checks = new ArrayList<>();
    if (given.grpc().server() != null && present.test(GRPC)) {
      checks.addAll(HalfGrpcMapping.checks(given.grpc()));
    }
    if (given.dubbo().server() != null && present.test(DUBBO)) {
      checks.add(() -> HalfDubboMapping.server(given.dubbo(), null));
    }
    return checks;
  }
}
