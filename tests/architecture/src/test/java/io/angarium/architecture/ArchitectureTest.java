package io.angarium.architecture;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Applies the rules to the classes of all modules. */
class ArchitectureTest {
  /** The product's sources of time and randomness; everything else is handed one. */
  private static final List<String> CLOCKS = List.of("io.angarium.TimeSource");

  private static final List<String> DICE =
      List.of(
          "io.angarium.console.access.TicketAccess", // secrets, as sessions need them
          "io.angarium.console.internal.access.SessionCookies",
          "io.angarium.intake.MessageIntake",
          "io.angarium.relay.Relay$Builder",
          "io.angarium.relay.settings.DestinationPolicy",
          "io.angarium.redis.RedisInbox",
          "io.angarium.server.dtm.DtmConfiguration",
          "io.angarium.spring.autoconfigure.internal.mapping.Dice");

  /** What happens to a caller if they fail is told elsewhere. */
  private static final List<String> TOLD_ELSEWHERE =
      List.of(
          "io.angarium.confirmation.ReceiptReading", // its broker is away: a circuit, a meter
          "io.angarium.kafka.intake.KafkaHalfIntake", // trouble()
          "io.angarium.micrometer.Samples", // the meter is NaN
          "io.angarium.redis.LeaseRenewal"); // the handler's claim is gone

  /** Programs read what these write: headers, JSON, and what stands in their documents. */
  private static final List<String> ISO_DURATIONS =
      List.of(
          "io.angarium.internal.DurationText",
          "io.angarium.http.half.HalfWireFormat",
          "io.angarium.spring.autoconfigure.internal.web.AngariumEndpoint",
          "io.angarium.spring.autoconfigure.internal.run.RelayHealth");

  /** TrustMessage's clients have these names in jars of their own; they travel with each call. */
  private static final List<String> NAMED_BY_OTHERS =
      List.of(
          "com.example.trustmessage.middlewareapi.common.MessageResponse",
          "com.example.trustmessage.middlewareapi.common.MiddlewareMessage");

  /** What our own modules share and nobody else uses. */
  private static final Set<String> SHARED_INTERNALS =
      Set.of(
          "io.angarium.internal",
          "io.angarium.background.internal",
          "io.angarium.operation.internal",
          "io.angarium.half.internal.remote",
          "io.angarium.store.internal",
          "io.angarium.transport.internal");

  @ParameterizedTest
  @MethodSource("published")
  void aModuleUsesOnlyWhatItsLineInTheTableAllows(Module module) {
    assertThat(ModuleTable.line(module.name()))
        .as("%s has no line in ModuleTable: add what it may depend on", module)
        .isPresent()
        .hasValueSatisfying(
            line -> ModuleTable.rule(module, line).check(Reactor.classes(module.main())));
  }

  @Test
  void nobodySleeps() {
    check(Rules.NOBODY_SLEEPS, everything());
  }

  @Test
  void namesSayWhatAThingIs() {
    check(Rules.NAMES_SAY_WHAT_A_THING_IS, everything().that(areNot(NAMED_BY_OTHERS)));
  }

  @Test
  void nothingStaticCanChange() {
    check(Rules.NOTHING_STATIC_CAN_CHANGE, product());
  }

  @Test
  void timeIsInjected() {
    check(Rules.TIME_IS_INJECTED, product().that(areNot(CLOCKS)));
  }

  @Test
  void workOfTheBackgroundTellsWhyItIsNotDone() {
    check(Rules.ROUNDS_TELL_THEIR_FAULT, product().that(areNot(TOLD_ELSEWHERE)));
  }

  @Test
  void randomnessIsInjected() {
    check(Rules.RANDOMNESS_IS_INJECTED, product().that(areNot(DICE)));
  }

  @Test
  void everyPackageIsNullMarked() {
    check(
        Rules.PACKAGES_ARE_NULL_MARKED,
        Reactor.classes(Reactor.modules().stream().flatMap(Module::main)));
  }

  @Test
  void noTestIsSwitchedOff() {
    check(Rules.NO_TEST_IS_SWITCHED_OFF, everything());
  }

  @Test
  void sqlStandsInDialectsOnly() {
    check(Rules.SQL_STANDS_IN_DIALECTS, product());
  }

  @Test
  void durationsInTextsAreAsInProperties() {
    check(Rules.DURATIONS_ARE_AS_IN_PROPERTIES, product().that(areNot(ISO_DURATIONS)));
  }

  @Test
  void storesAndTransportsKnowNoRelay() {
    check(Rules.STORES_KNOW_NO_RELAY, product());
  }

  @Test
  void packagesHaveNoCycles() {
    check(Rules.PACKAGES_HAVE_NO_CYCLES, product());
  }

  @ParameterizedTest
  @MethodSource("usersOfModules")
  void internalsStayInTheirModule(Module module) {
    Set<String> ours =
        Reactor.classes(module.main()).stream().map(JavaClass::getName).collect(toSet());
    check(
        Rules.internalsStayInTheirModule(ours, module.published() ? SHARED_INTERNALS : Set.of()),
        Reactor.classes(module.published() ? module.main() : module.all()));
  }

  /** All but tests and benchmarks, which may look inside. */
  static Stream<Module> usersOfModules() {
    return Reactor.modules().stream()
        .filter(
            module ->
                module.published()
                    || module.name().startsWith("examples/")
                    || module.name().startsWith("tests/recipes"))
        .filter(module -> module.all().findAny().isPresent());
  }

  static Stream<Module> published() {
    return Reactor.published().stream();
  }

  private static JavaClasses product() {
    return Reactor.classes(published().flatMap(Module::main));
  }

  private static JavaClasses everything() {
    return Reactor.classes(Reactor.modules().stream().flatMap(Module::all));
  }

  private static void check(ArchRule rule, JavaClasses classes) {
    assertThat(classes).as("classes to check").isNotEmpty();
    rule.check(classes);
  }

  private static DescribedPredicate<JavaClass> areNot(List<String> names) {
    return DescribedPredicate.describe(
        "are none of " + names,
        type -> names.stream().noneMatch(name -> (type.getName() + "$").startsWith(name + "$")));
  }
}
