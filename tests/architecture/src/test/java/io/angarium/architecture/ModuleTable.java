package io.angarium.architecture;

import static java.util.Map.entry;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** What each published module may use: which modules of ours, which packages of others. */
final class ModuleTable {
  /**
   * One line of the table.
   *
   * @param modules our modules it may use besides itself
   * @param packages packages of others besides those that every module may use
   */
  record Line(Set<String> modules, Set<String> packages) {}

  private static final String CORE = "angarium-core";
  private static final String JDBC = "angarium-jdbc";
  private static final String KAFKA = "angarium-kafka";
  private static final String RABBITMQ = "angarium-rabbitmq";
  private static final String HTTP = "angarium-http";
  private static final String DUBBO = "angarium-dubbo";
  private static final String ROCKETMQ = "angarium-rocketmq";
  private static final String REDIS = "angarium-redis";
  private static final String GRPC = "angarium-grpc";
  private static final String MICROMETER = "angarium-micrometer";
  private static final String JACKSON = "angarium-jackson";
  private static final String TESTKIT = "angarium-testkit";
  private static final String CONSOLE = "angarium-console";
  private static final String STARTER = "angarium-spring-boot-starter";

  private static final List<String> FOR_ALL = List.of("org.slf4j", "org.jspecify.annotations");

  /** Parts of the JDK that need a line of the table; the rest of {@code java.*} is for all. */
  private static final List<String> JDK_FOR_SOME = List.of("java.sql", "java.awt", "java.beans");

  private static final Map<String, Line> LINES =
      Map.ofEntries(
          entry(CORE, new Line(Set.of(), Set.of())),
          entry(
              TESTKIT, new Line(Set.of(CORE), Set.of("org.junit.jupiter.api", "org.assertj.core"))),
          // one question that PostgreSQL's driver answers without a round trip, where it is there
          entry(JDBC, new Line(Set.of(CORE), Set.of("java.sql", "javax.sql", "org.postgresql"))),
          entry(
              KAFKA,
              new Line(
                  Set.of(CORE),
                  Set.of("org.apache.kafka", "com.fasterxml.jackson.core", "javax.net.ssl"))),
          // its sockets hold back what is written, see GatheringSocket
          entry(RABBITMQ, new Line(Set.of(CORE), Set.of("com.rabbitmq", "javax.net"))),
          entry(
              HTTP,
              new Line(
                  Set.of(CORE),
                  Set.of("javax.net.ssl", "javax.crypto", "com.fasterxml.jackson.core"))),
          entry(DUBBO, new Line(Set.of(CORE), Set.of("org.apache.dubbo"))),
          entry(ROCKETMQ, new Line(Set.of(CORE), Set.of("org.apache.rocketmq"))),
          entry(REDIS, new Line(Set.of(CORE), Set.of("io.lettuce.core"))),
          entry(
              GRPC,
              new Line(Set.of(CORE), Set.of("io.grpc", "com.google.protobuf", Reactor.GENERATED))),
          entry(MICROMETER, new Line(Set.of(CORE), Set.of("io.micrometer"))),
          entry(JACKSON, new Line(Set.of(CORE), Set.of("com.fasterxml.jackson", "tools.jackson"))),
          entry(
              CONSOLE,
              new Line(
                  Set.of(CORE),
                  Set.of("jakarta.servlet", "javax.crypto", "com.fasterxml.jackson.core"))),
          entry(
              STARTER,
              new Line(
                  Set.of(
                      CONSOLE,
                      CORE,
                      JDBC,
                      KAFKA,
                      RABBITMQ,
                      ROCKETMQ,
                      REDIS,
                      HTTP,
                      GRPC,
                      DUBBO,
                      MICROMETER,
                      JACKSON),
                  Set.of(
                      "java.sql",
                      "javax.net.ssl",
                      "javax.sql",
                      "org.springframework",
                      "org.aopalliance", // a part of spring-aop
                      "org.apache.kafka",
                      "com.rabbitmq",
                      "org.apache.rocketmq",
                      "io.lettuce.core",
                      "io.micrometer",
                      "jakarta",
                      "com.fasterxml.jackson",
                      "tools.jackson"))),
          // an application: what it forwards to is chosen by configuration
          entry(
              "angarium-server",
              new Line(
                  Set.of(CONSOLE, CORE, KAFKA, JDBC, HTTP, GRPC, DUBBO, MICROMETER, STARTER),
                  Set.of(
                      "java.sql",
                      "io.grpc",
                      "io.netty", // gRPC and Dubbo bound their connections with it
                      "org.apache.dubbo",
                      "org.springframework",
                      "jakarta.servlet",
                      "org.apache.catalina",
                      "org.apache.tomcat",
                      "ch.qos.logback",
                      "org.apache.coyote",
                      "javax.net.ssl",
                      "com.nimbusds",
                      "com.zaxxer.hikari",
                      "io.micrometer",
                      "tools.jackson"))),
          entry(
              "angarium-spring-modulith",
              new Line(Set.of(CORE, STARTER), Set.of("org.springframework"))),
          entry(
              "angarium-spring-boot-test",
              new Line(Set.of(CORE, TESTKIT, STARTER), Set.of("java.sql", "org.springframework"))));

  private ModuleTable() {}

  static Optional<Line> line(String module) {
    return Optional.ofNullable(LINES.get(module));
  }

  /** The rule that a module's own line makes. */
  static ArchRule rule(Module module, Line line) {
    JavaClasses ours =
        Reactor.classes(
            Reactor.modules().stream()
                .filter(other -> other.equals(module) || line.modules().contains(other.name()))
                .flatMap(Module::main));
    return rule(ours.stream().map(JavaClass::getName).collect(Collectors.toSet()), line);
  }

  /** The rule for a module that may use the named classes of ours. */
  static ArchRule rule(Set<String> ours, Line line) {
    return ArchRuleDefinition.classes()
        .should()
        .onlyDependOnClassesThat(
            DescribedPredicate.describe(
                "the module table allows (%s %s)".formatted(line.modules(), line.packages()),
                target -> allowed(target.getBaseComponentType(), ours, line)))
        .allowEmptyShould(true);
  }

  private static boolean allowed(JavaClass target, Set<String> ours, Line line) {
    String name = target.getName();
    return target.isPrimitive()
        || ours.contains(name)
        || inside(line.packages(), name)
        || isForAll(name);
  }

  private static boolean isForAll(String name) {
    return inside(FOR_ALL, name) || (inside(List.of("java"), name) && !inside(JDK_FOR_SOME, name));
  }

  private static boolean inside(Iterable<String> packages, String name) {
    for (String each : packages) {
      if (name.startsWith(each + ".")) {
        return true;
      }
    }
    return false;
  }
}
