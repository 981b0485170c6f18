package io.angarium.spring.autoconfigure.internal.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.StoreException;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** The text shows no password, wherever the answer of a driver repeats the address. */
class StoreFailureAnalyzerTest {
  private static final String URL = "jdbc:mysqll://app:hush@db/shop?password=hush";

  @Test
  void addressInTheAnswerOfADriverIsShownWithoutItsPassword() {
    SQLException answer = new SQLException("No suitable driver found for " + URL, "08001");
    StoreException failure =
        new StoreException("Failed opening (SQLState 08001): " + answer.getMessage(), answer);

    assertHidden(failure);
    assertHidden(new StoreException("Failed opening " + URL, null));
  }

  @Test
  void failureThatNamesADataSourceHidesItToo() {
    DriverManagerDataSource source = new DriverManagerDataSource(URL, "app", "hush");

    try {
      DataSourceFailure.naming(
          source,
          opened -> {
            throw new StoreException("Failed opening " + URL, new SQLException(URL, "08001"));
          });
    } catch (DataSourceFailure e) {
      assertThat(e).hasMessageContaining("//db/shop").hasMessageNotContaining("hush");
      assertHidden(e);
    }
  }

  private static void assertHidden(StoreException failure) {
    FailureAnalysis analysis =
        new StoreFailureAnalyzer(new StandardEnvironment()).analyze(failure, failure);

    assertThat(analysis.getDescription()).contains("//db/shop").doesNotContain("hush");
  }
}
