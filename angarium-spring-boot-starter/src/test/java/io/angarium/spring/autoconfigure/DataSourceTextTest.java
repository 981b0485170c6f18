package io.angarium.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

class DataSourceTextTest {
  @ParameterizedTest
  @CsvSource({
    "jdbc:postgresql://db:5432/shop?user=a&password=b, jdbc:postgresql://db:5432/shop",
    "jdbc:mariadb://app:hush@db/shop, jdbc:mariadb://db/shop",
    "jdbc:h2:file:./shop;PASSWORD=hush, jdbc:h2:file:./shop",
    "jdbc:mysql://a:1/shop, jdbc:mysql://a:1/shop",
  })
  void addressIsShownWithoutSecrets(String url, String shown) {
    assertThat(DataSourceText.withoutSecrets(url)).isEqualTo(shown);
  }

  @Test
  void sourceBehindAProxyIsNamedWithItsUser() {
    DriverManagerDataSource source =
        new DriverManagerDataSource("jdbc:h2:mem:shop;IFEXISTS=TRUE", "app", "hush");

    assertThat(DataSourceText.of(new DelegatingDataSource(source)))
        .isEqualTo("jdbc:h2:mem:shop, user 'app'");
  }
}
