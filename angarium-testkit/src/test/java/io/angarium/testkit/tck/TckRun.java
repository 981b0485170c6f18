package io.angarium.testkit.tck;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * One run of a contract suite within a test, as a build would run it.
 *
 * @param passed names of the tests that passed
 * @param failed names of the tests that failed, and why
 */
record TckRun(TreeSet<String> passed, TreeMap<String, Throwable> failed) {
  /** The configuration parameter that names the mutant. */
  static final String MUTANT = "angarium.mutant";

  private static final String LIMIT = "1 m";

  /** Runs all tests of the suite with a mutant that {@link MutantParameter} gives to it. */
  static TckRun of(Class<?> suite, Enum<?> mutant) {
    return of(suite, mutant, test -> FilterResult.included("all"));
  }

  /** Runs one test of the suite. */
  static TckRun of(Class<?> suite, Enum<?> mutant, String name) {
    return of(
        suite,
        mutant,
        test -> FilterResult.includedIf(!test.isTest() || name(test.getSource()).equals(name)));
  }

  private static TckRun of(Class<?> suite, Enum<?> mutant, PostDiscoveryFilter filter) {
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(selectClass(suite))
            .filters(filter)
            .configurationParameter(MUTANT, mutant.name())
            .configurationParameter("junit.jupiter.execution.timeout.default", LIMIT)
            .build();
    LauncherConfig alone = // listeners of the build are not told of it
        LauncherConfig.builder()
            .enableTestExecutionListenerAutoRegistration(false)
            .enableLauncherSessionListenerAutoRegistration(false)
            .build();
    TckRun run = new TckRun(new TreeSet<>(), new TreeMap<>());
    LauncherFactory.create(alone).execute(request, run.new Listener());
    return run;
  }

  private static String name(Optional<TestSource> source) {
    return source
        .filter(found -> found instanceof MethodSource)
        .map(found -> ((MethodSource) found).getMethodName())
        .orElse("");
  }

  private final class Listener implements TestExecutionListener {
    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
      String name = test.isTest() ? name(test.getSource()) : test.getDisplayName();
      if (result.getStatus() != Status.SUCCESSFUL) {
        failed.put(name, result.getThrowable().orElseGet(() -> new AssertionError("aborted")));
      } else if (test.isTest()) {
        passed.add(name);
      }
    }
  }
}
