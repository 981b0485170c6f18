package io.angarium.spring.autoconfigure.internal.check;

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
    "jdbc:postgresql:shop, jdbc:postgresql:shop",
    "jdbc:mysql:loadbalance://h1:1/shop?password=hush, jdbc:mysql:loadbalance://h1:1/shop",
    "jdbc:mysql://address=(host=db)(user=app)(password=hush)/shop, jdbc:mysql://…",
    "jdbc:mysql://(host=db;password=hush)/shop, jdbc:mysql://…",
    "jdbc:mysql://(host=db|password=hu@sh)/shop, jdbc:mysql://…",
    "jdbc:mysql://a:hush@h1|b:hush@h2/shop, jdbc:mysql://h2/shop",
    "jdbc:mysql://app:hu/sh@db/shop, jdbc:mysql://db/shop",
    "jdbc:mysql://app:hu@sh@db/shop, jdbc:mysql://db/shop",
    "jdbc:mysql://app:hu?sh@db/shop, jdbc:mysql://…",
    "jdbc:mysql://db/shop?user=a@hush, jdbc:mysql://…",
    "jdbc:oracle:thin:app/hush@db:1521:shop, jdbc:oracle:thin:db:1521:shop",
    "hush, …",
  })
  void addressIsShownWithoutSecrets(String url, String shown) {
    assertThat(DataSourceText.withoutSecrets(url.replace('|', ','))).isEqualTo(shown);
  }

  @Test
  void everyAddressInATextIsShownWithoutSecrets() {
    assertThat(
            DataSourceText.withoutSecretsIn(
                "No suitable driver found for jdbc:mysqll://app:hu$h@db/shop?password=hu$h"
                    + " (08001)"))
        .isEqualTo("No suitable driver found for jdbc:mysqll://db/shop (08001)");
  }

  @Test
  void sourceBehindAProxyIsNamedWithItsUser() {
    DriverManagerDataSource source =
        new DriverManagerDataSource("jdbc:h2:mem:shop;IFEXISTS=TRUE", "app", "hush");

    assertThat(DataSourceText.of(new DelegatingDataSource(source)))
        .isEqualTo("jdbc:h2:mem:shop, user 'app'");
  }
}
