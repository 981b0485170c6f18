package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TupleIdTest {
  @ParameterizedTest
  @ValueSource(strings = {"(0,1)", "(17,291)", "(4294967294,65535)"})
  void everyPlaceComesBack(String text) throws SQLException {
    assertThat(TupleId.text(TupleId.parse(text))).isEqualTo(text);
  }

  @Test
  void noPlaceIsZero() throws SQLException {
    assertThat(TupleId.parse("(0,1)")).isNotZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "()", "(,1)", "(1,)", "1"})
  void whatIsNoPlaceIsNamed(String text) {
    assertThatThrownBy(() -> TupleId.parse(text))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("'" + text + "'")
        .hasMessageContaining("(block,offset)");
  }
}
