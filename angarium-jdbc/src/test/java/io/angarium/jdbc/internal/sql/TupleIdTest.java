package io.angarium.jdbc.internal.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.intake.Position;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TupleIdTest {
  @ParameterizedTest
  @ValueSource(strings = {"(0,1)", "(17,291)", "(4294967294,65535)"})
  void everyPlaceComesBack(String text) throws SQLException {
    Position position = new Position(0, 1, TupleId.parse(text));

    assertThat(TupleId.array(List.of(position, position)))
        .isEqualTo("{\"" + text + "\",\"" + text + "\"}");
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
