package io.angarium.half;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HalfKeyTest {
  /** Half a surrogate pair would be stored as a question mark, and be the key that has one. */
  @ParameterizedTest
  @ValueSource(strings = {"", " ", "a\u0000", "a\uD800", "\uDC00a", "\uDE00\uD83D"})
  void partThatCannotBeStoredIsRefused(String part) {
    assertThatThrownBy(() -> new HalfKey(part, "1"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("half message business: '" + part + "'");
    assertThatThrownBy(() -> new HalfKey("order", part))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("half message key: '" + part + "'");
  }

  /** Else whoever chooses a key writes lines of the log. */
  @Test
  void isOneLineOfTheLogWhateverItHolds() {
    assertThat(new HalfKey("order", "1\r\n2\u007F\u009B\u2028")).hasToString("order/1??2???");
  }

  @Test
  void charactersOfAllPlanesAreTaken() {
    assertThat(new HalfKey("order", "a\uD83D\uDE00").id())
        .isNotEqualTo(new HalfKey("order", "a??").id());
  }
}
