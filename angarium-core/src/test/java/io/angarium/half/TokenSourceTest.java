package io.angarium.half;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** What becomes of what a source throws. */
class TokenSourceTest {
  /** As a source in Kotlin may: there, nobody declares it. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <E extends Throwable> String throwUndeclared(Throwable thrown) throws E {
    throw (E) thrown;
  }

  @Test
  void interruptThatComesUndeclaredStaysOneAndIsNoFaultOfTheSource() {
    TokenSource source =
        () -> TokenSourceTest.<RuntimeException>throwUndeclared(new InterruptedException());

    assertThatThrownBy(source::checked)
        .isInstanceOf(IllegalStateException.class)
        .hasCauseInstanceOf(InterruptedException.class)
        .hasMessageContaining("interrupted")
        .hasMessageNotContaining("repair");

    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void otherThingsThatComeUndeclaredAreTheSourcesFault() {
    TokenSource source =
        () -> TokenSourceTest.<RuntimeException>throwUndeclared(new Exception("no wire"));

    assertThatThrownBy(source::checked)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("no wire; repair it");
    assertThat(Thread.interrupted()).isFalse();
  }
}
