package io.angarium.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import io.angarium.architecture.ModuleTable.Line;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Proves on planted classes that each rule fails where it should, and only there. */
class RulesTest {
  private static final String PLANTED = "io.angarium.architecture.planted.";
  private static final JavaClasses ALL_PLANTED =
      new ClassFileImporter().importPackages("io.angarium.architecture.planted");

  @ParameterizedTest
  @ValueSource(strings = {"Sleeping$Thread1", "Sleeping$Unit"})
  void aSleeperIsCaught(String planted) {
    assertCaught(Rules.NOBODY_SLEEPS, planted);
    assertFree(Rules.NOBODY_SLEEPS, "Sql$Prose");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "NamedByForm$StringUtils",
        "NamedByForm$RelayManager",
        "NamedByForm$SendHelper",
        "NamedByForm$OutboxImpl",
        "NamedByForm$AbstractStore",
        "NamedByForm$BaseStore",
        "NamedByForm$MessageProcessor",
        "NamedByForm$MessageInfo",
        "util.Anything"
      })
  void aNameThatSaysOnlyAFormIsCaught(String planted) {
    assertCaught(Rules.NAMES_SAY_WHAT_A_THING_IS, planted);
  }

  @ParameterizedTest
  @ValueSource(strings = {"NamedByForm$Baseline", "NamedByForm$Commonwealth", "package-info"})
  void aNameThatMerelyBeginsLikeAFormIsFree(String planted) {
    assertFree(Rules.NAMES_SAY_WHAT_A_THING_IS, planted);
  }

  @ParameterizedTest
  @ValueSource(strings = {"Static$Counter", "Static$Atomic", "Static$OpenArray"})
  void staticStateThatChangesIsCaught(String planted) {
    assertCaught(Rules.NOTHING_STATIC_CAN_CHANGE, planted);
    assertFree(Rules.NOTHING_STATIC_CAN_CHANGE, "Static$Constants");
    assertFree(Rules.NOTHING_STATIC_CAN_CHANGE, "Static$Kind");
    assertFree(Rules.NOTHING_STATIC_CAN_CHANGE, "Static$Updater");
  }

  @ParameterizedTest
  @ValueSource(strings = {"AskingTheClock$ByCall", "AskingTheClock$ByReference"})
  void askingTheClockIsCaught(String planted) {
    assertCaught(Rules.TIME_IS_INJECTED, planted);
    assertFree(Rules.TIME_IS_INJECTED, "ThrowingDice$ByCall");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ThrowingDice$ByCall", "ThrowingDice$ByConstructor"})
  void throwingDiceIsCaught(String planted) {
    assertCaught(Rules.RANDOMNESS_IS_INJECTED, planted);
    assertFree(Rules.RANDOMNESS_IS_INJECTED, "AskingTheClock$ByCall");
  }

  @Test
  void workThatHidesItsFaultIsCaught() {
    assertCaught(Rules.ROUNDS_TELL_THEIR_FAULT, "HiddenWork");
    assertFree(Rules.ROUNDS_TELL_THEIR_FAULT, "AskingTheClock$ByCall");
  }

  @Test
  void aPackageThatIsNotNullMarkedIsCaught() {
    assertCaught(Rules.PACKAGES_ARE_NULL_MARKED, "util.Anything");
    assertFree(Rules.PACKAGES_ARE_NULL_MARKED, "Sql$Prose");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SwitchedOffTests$WholeClass",
        "SwitchedOffTests$Condition",
        "SwitchedOffTests$JupiterAssumption",
        "SwitchedOffTests$AssertjAssumption"
      })
  void aTestThatIsSwitchedOffIsCaught(String planted) {
    assertCaught(Rules.NO_TEST_IS_SWITCHED_OFF, planted);
    assertFree(Rules.NO_TEST_IS_SWITCHED_OFF, "Sleeping$Unit");
  }

  @Test
  void sqlOutsideADialectIsCaught() {
    ArchRule rule = Rules.SQL_STANDS_IN_DIALECTS;

    assertThat(failures(rule, "Sql$Store")).contains("DELETE FROM").contains("SELECT id");
    assertFree(rule, "Sql$Prose");
    assertFree(rule, "PlantedDialect");
    assertFree(rule, "PlantedSql");
    assertFree(rule, "PlantedSql$Row");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "TellingTime$ByConcatenation",
        "TellingTime$ByFormat",
        "TellingTime$ByLog",
        "TellingTime$ByLongLog",
        "TellingTime$ByCall",
        "TellingTime$ByReference"
      })
  void aDurationInATextAsItIsIsCaught(String planted) {
    assertCaught(Rules.DURATIONS_ARE_AS_IN_PROPERTIES, planted);
    assertFree(Rules.DURATIONS_ARE_AS_IN_PROPERTIES, "TellingTime$InMillis");
    assertFree(Rules.DURATIONS_ARE_AS_IN_PROPERTIES, "TellingTime$Limits");
  }

  @Test
  void aStoreThatKnowsTheRelayIsCaught() {
    assertCaught(Rules.STORES_KNOW_NO_RELAY, "store.StoreOfRelay");
    assertFree(Rules.STORES_KNOW_NO_RELAY, "relay.RelayOfStore");
  }

  @Test
  void aCycleOfPackagesIsCaught() {
    ArchRule rule = Rules.PACKAGES_HAVE_NO_CYCLES;

    assertThat(rule.evaluate(in("store", "relay")).hasViolation()).isTrue();
    assertThat(rule.evaluate(in("circle")).hasViolation()).as("with the one above it").isTrue();
    assertThat(rule.evaluate(in("internal")).hasViolation()).isFalse();
  }

  private static JavaClasses in(String... packages) {
    return ALL_PLANTED.that(
        JavaClass.Predicates.resideInAnyPackage(
            Stream.of(packages).map(each -> PLANTED + each + "..").toArray(String[]::new)));
  }

  @Test
  void aUseOfAnotherModulesInternalsIsCaught() {
    String inner = PLANTED + "internal.Inner";

    assertCaught(Rules.internalsStayInTheirModule(Set.of(), Set.of()), "UsingInternals");
    assertFree(Rules.internalsStayInTheirModule(Set.of(inner), Set.of()), "UsingInternals");
    assertFree(
        Rules.internalsStayInTheirModule(Set.of(), Set.of(PLANTED + "internal")), "UsingInternals");
  }

  @Test
  void aUseThatTheModuleTableDoesNotAllowIsCaught() {
    Line core = new Line(Set.of(), Set.of());
    Line store = new Line(Set.of(), Set.of("java.sql"));

    assertCaught(ruleFor("Database$InCore", core), "Database$InCore");
    assertFree(ruleFor("Database$InCore", store), "Database$InCore");
    assertCaught(ruleFor("Database$OtherModule", core), "Database$OtherModule");
    assertFree(ruleFor("Database$Plain", core), "Database$Plain");
  }

  private static ArchRule ruleFor(String planted, Line line) {
    Set<String> ours =
        planted(planted).stream().map(JavaClass::getName).collect(Collectors.toSet());
    return ModuleTable.rule(ours, line);
  }

  private static void assertCaught(ArchRule rule, String planted) {
    assertThat(failures(rule, planted)).as("%s on %s", rule, planted).isNotEmpty();
  }

  private static void assertFree(ArchRule rule, String planted) {
    assertThat(failures(rule, planted)).as("%s on %s", rule, planted).isEmpty();
  }

  private static String failures(ArchRule rule, String planted) {
    return String.join(
        "\n",
        rule.allowEmptyShould(true).evaluate(planted(planted)).getFailureReport().getDetails());
  }

  private static JavaClasses planted(String name) {
    JavaClasses found =
        ALL_PLANTED.that(
            DescribedPredicate.describe(name, type -> type.getName().equals(PLANTED + name)));
    assertThat(found).as("planted class %s", name).isNotEmpty();
    return found;
  }
}
