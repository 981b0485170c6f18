package io.angarium.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;

/** The rules; each is applied to our classes and proved on a planted class that breaks it. */
final class Rules {
  private static final Pattern FORM_IN_CLASS_NAME =
      Pattern.compile(
          "(Abstract|Base|Common)[A-Z].*"
              + "|.*(Utils?|Helper|Manager|Common|Impl|Base|Abstract|Processor|Info)");
  private static final Pattern FORM_IN_PACKAGE_NAME =
      Pattern.compile("(.*\\.)?(utils?|helpers?|managers?|commons?|impl|base|misc)(\\..*)?");

  private static final Set<String> TIME_METHODS =
      Set.of(
          "java.time.Instant.now",
          "java.time.LocalDate.now",
          "java.time.LocalDateTime.now",
          "java.time.OffsetDateTime.now",
          "java.time.ZonedDateTime.now",
          "java.time.InstantSource.system",
          "java.time.Clock.systemUTC",
          "java.time.Clock.systemDefaultZone",
          "java.lang.System.currentTimeMillis",
          "java.lang.System.nanoTime");

  private static final String ROUNDS = "io.angarium.background.internal.RepeatingTask";

  /** A generator made from a seed may be made anywhere. */
  private static final Set<String> RANDOM_METHODS =
      Set.of(
          "java.util.UUID.randomUUID",
          "java.lang.Math.random",
          "java.util.Random.<init>()",
          "java.util.SplittableRandom.<init>()",
          "java.security.SecureRandom.<init>",
          "java.util.concurrent.ThreadLocalRandom.current");

  /** Whoever holds one of these can change it. */
  private static final List<String> MUTABLE_TYPES =
      List.of(
          "java.util.ArrayList",
          "java.util.ArrayDeque",
          "java.util.AbstractMap",
          "java.util.HashSet",
          "java.util.TreeSet",
          "java.util.BitSet",
          "java.util.concurrent.ConcurrentMap",
          "java.util.Queue",
          "java.lang.ThreadLocal",
          "java.lang.StringBuilder",
          "java.util.Date");

  static final ArchRule NOBODY_SLEEPS =
      noClasses()
          .should(
              access(
                  "sleep", Set.of("java.lang.Thread.sleep", "java.util.concurrent.TimeUnit.sleep")))
          .because("a test waits for a signal and the product for a condition");

  static final ArchRule NAMES_SAY_WHAT_A_THING_IS =
      classes().should(haveNamesWithoutForm()).because("a name says what a thing is or does");

  static final ArchRule NOTHING_STATIC_CAN_CHANGE =
      fields()
          .that()
          .areStatic()
          .and(notMadeByTheCompiler())
          .should(beUnchangeable())
          .because("two relays in one JVM share nothing");

  static final ArchRule TIME_IS_INJECTED =
      noClasses().should(access("the clock of the JVM", TIME_METHODS));

  static final ArchRule RANDOMNESS_IS_INJECTED =
      noClasses().should(access("a source of randomness", RANDOM_METHODS));

  static final ArchRule ROUNDS_TELL_THEIR_FAULT =
      classes()
          .that(
              DescribedPredicate.describe(
                  "do work in rounds",
                  (JavaClass each) ->
                      each.getFields().stream()
                          .anyMatch(field -> field.getRawType().getName().equals(ROUNDS))))
          .should()
          .implement("io.angarium.background.BackgroundWork")
          .because("health and the meter know no other work of the background");

  static final ArchRule PACKAGES_ARE_NULL_MARKED = classes().should(liveInNullMarkedPackages());

  static final ArchRule NO_TEST_IS_SWITCHED_OFF =
      noClasses()
          .should()
          .dependOnClassesThat(
              DescribedPredicate.describe(
                  "disable or abort tests",
                  (JavaClass target) ->
                      target.getName().equals("org.junit.jupiter.api.Disabled")
                          || target.getName().equals("org.opentest4j.TestAbortedException")
                          || target.getName().endsWith(".Assumptions")
                          || target.getName().startsWith("org.junit.jupiter.api.condition.")))
          .because("a test that cannot run is not selected, or fails");

  static final ArchRule SQL_STANDS_IN_DIALECTS = classes().should(SqlTexts.standInDialects());

  static final ArchRule DURATIONS_ARE_AS_IN_PROPERTIES =
      classes()
          .should(DurationTexts.areAsInProperties())
          .because("a person reads 9s, which a property takes, and not PT9S: DurationText");

  static final ArchRule STORES_KNOW_NO_RELAY =
      noClasses()
          .that()
          .resideInAnyPackage("..store..", "..transport..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("..relay..");

  /** Each package by itself, also one that has others below it. */
  static final ArchRule PACKAGES_HAVE_NO_CYCLES =
      SlicesRuleDefinition.slices()
          .assignedFrom(
              new SliceAssignment() {
                @Override
                public SliceIdentifier getIdentifierOf(JavaClass type) {
                  return SliceIdentifier.of(type.getPackageName());
                }

                @Override
                public String getDescription() {
                  return "each package";
                }
              })
          .should()
          .beFreeOfCycles();

  private Rules() {}

  /**
   * The rule for a module that may use these classes of ours and these internals of others.
   *
   * @param shared packages
   */
  static ArchRule internalsStayInTheirModule(Set<String> ours, Set<String> shared) {
    return noClasses()
        .should()
        .dependOnClassesThat(
            DescribedPredicate.describe(
                "are internals of another module",
                (JavaClass used) -> {
                  JavaClass target = used.getBaseComponentType();
                  String place = target.getPackageName() + ".";
                  return place.startsWith("io.angarium.")
                      && place.contains(".internal.")
                      && !ours.contains(target.getName())
                      && !shared.contains(target.getPackageName());
                }))
        .because("what is internal changes without notice");
  }

  /** Calls, constructor calls and method references alike. */
  private static ArchCondition<JavaClass> access(String what, Set<String> members) {
    return new ArchCondition<>("use " + what) {
      @Override
      public void check(JavaClass item, ConditionEvents events) {
        Stream<JavaAccess<?>> accesses = item.getAccessesFromSelf().stream();
        accesses
            .filter(access -> names(access).anyMatch(members::contains))
            .forEach(
                access ->
                    events.add(SimpleConditionEvent.satisfied(item, access.getDescription())));
      }
    };
  }

  /** The name of what is accessed, without and with its parameters. */
  private static Stream<String> names(JavaAccess<?> access) {
    AccessTarget target = access.getTarget();
    return Stream.of(target.getOwner().getName() + "." + target.getName(), target.getFullName());
  }

  private static ArchCondition<JavaClass> haveNamesWithoutForm() {
    return new ArchCondition<>("have names that say more than a form") {
      @Override
      public void check(JavaClass item, ConditionEvents events) {
        boolean form =
            FORM_IN_CLASS_NAME.matcher(item.getSimpleName()).matches()
                || FORM_IN_PACKAGE_NAME.matcher(item.getPackageName()).matches();
        boolean named = !item.isAnonymousClass() && !item.getSimpleName().equals("package-info");
        events.add(new SimpleConditionEvent(item, !(form && named), item.getDescription()));
      }
    };
  }

  private static DescribedPredicate<JavaField> notMadeByTheCompiler() {
    return DescribedPredicate.describe(
        "written by us",
        field ->
            !field.getModifiers().contains(JavaModifier.SYNTHETIC)
                && !field.getOwner().getModifiers().contains(JavaModifier.SYNTHETIC));
  }

  private static ArchCondition<JavaField> beUnchangeable() {
    return new ArchCondition<>("be final and of a type that cannot change") {
      @Override
      public void check(JavaField field, ConditionEvents events) {
        events.add(new SimpleConditionEvent(field, isUnchangeable(field), field.getDescription()));
      }
    };
  }

  private static boolean isUnchangeable(JavaField field) {
    JavaClass type = field.getRawType();
    boolean mutable =
        MUTABLE_TYPES.stream().anyMatch(type::isAssignableTo)
            || isAtomic(type)
            || (type.isArray() && !field.getModifiers().contains(JavaModifier.PRIVATE));
    return field.getModifiers().contains(JavaModifier.FINAL) && !mutable;
  }

  /** An updater holds no value of its own. */
  private static boolean isAtomic(JavaClass type) {
    return type.getPackageName().equals("java.util.concurrent.atomic")
        && !type.getSimpleName().endsWith("FieldUpdater");
  }

  private static ArchCondition<JavaClass> liveInNullMarkedPackages() {
    return new ArchCondition<>("live in packages that are @NullMarked") {
      @Override
      public void check(JavaClass item, ConditionEvents events) {
        boolean marked = item.getPackage().isAnnotatedWith(NullMarked.class);
        events.add(new SimpleConditionEvent(item, marked, item.getPackage().getDescription()));
      }
    };
  }
}
