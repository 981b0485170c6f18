package io.angarium.tests.modulith;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.tests.modulith.shop.ShopApplication;
import org.junit.jupiter.api.Test;
import org.springframework.modulith.core.ApplicationModules;

class ModulesTest {
  @Test
  void theApplicationOfTheseTestsIsModular() {
    ApplicationModules modules = ApplicationModules.of(ShopApplication.class);

    modules.verify();
    assertThat(modules.stream().map(module -> module.getIdentifier().toString()))
        .containsExactlyInAnyOrder("mail", "orders", "stock");
  }
}
