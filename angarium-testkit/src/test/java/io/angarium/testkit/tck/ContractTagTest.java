package io.angarium.testkit.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.angarium.testkit.fake.PipelinedFakeTransportTest;
import io.angarium.testkit.memory.InMemoryCheckBackTest;
import io.angarium.testkit.memory.InMemoryDeskTest;
import io.angarium.testkit.memory.InMemoryHalfMessagesTest;
import io.angarium.testkit.memory.InMemoryInboxTest;
import io.angarium.testkit.memory.InMemoryLocalTransactionsTest;
import io.angarium.testkit.memory.InMemoryStoreTest;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.engine.TestTag;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** A build can select the contract suites, as docs/testing.md says. */
class ContractTagTest {
  @ParameterizedTest
  @ValueSource(
      classes = {
        InMemoryStoreTest.class,
        InMemoryDeskTest.class,
        PipelinedFakeTransportTest.class,
        InMemoryInboxTest.class,
        InMemoryHalfMessagesTest.class,
        InMemoryCheckBackTest.class,
        InMemoryLocalTransactionsTest.class
      })
  void everyTestOfASuiteCarriesTheTag(Class<?> suite) {
    List<TestIdentifier> tests = tests(suite);

    assertThat(tests).isNotEmpty();
    assertThat(tests)
        .allSatisfy(test -> assertThat(test.getTags()).contains(TestTag.create("contract")));
  }

  private static List<TestIdentifier> tests(Class<?> suite) {
    TestPlan plan =
        LauncherFactory.create()
            .discover(
                LauncherDiscoveryRequestBuilder.request().selectors(selectClass(suite)).build());
    return plan.getRoots().stream()
        .flatMap(root -> plan.getDescendants(root).stream())
        .filter(TestIdentifier::isTest)
        .toList();
  }
}
