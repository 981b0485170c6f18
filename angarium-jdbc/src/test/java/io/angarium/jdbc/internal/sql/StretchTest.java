package io.angarium.jdbc.internal.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.intake.Position;
import io.angarium.store.SequenceRange;
import java.util.List;
import org.junit.jupiter.api.Test;

class StretchTest {
  @Test
  void spansThatLieTogetherAreOneStretch() {
    SequenceRange low = new SequenceRange(1, 100, 900);
    SequenceRange high = new SequenceRange(2, 200, 1_000);

    List<Stretch> stretches = Stretch.of(List.of(high, low));

    assertThat(stretches).hasSize(1);
    assertThat(stretches.get(0).after()).isEqualTo(100);
    assertThat(stretches.get(0).upTo()).isEqualTo(1_000);
    assertThat(stretches.get(0).spans()).containsExactly(low, high);
  }

  @Test
  void spansWhoseEndsLieFarApartAreReadAlone() {
    List<SequenceRange> spans =
        List.of(
            new SequenceRange(1, 0, 50),
            new SequenceRange(2, 0, 50 + Stretch.SLACK + 1),
            new SequenceRange(3, Stretch.SLACK + 1, 50 + Stretch.SLACK + 1),
            SequenceRange.after(4, 0));

    assertThat(Stretch.of(spans)).hasSize(4);
  }

  @Test
  void rowBetweenTheSpansOfAStretchWasNotAskedFor() {
    Stretch stretch =
        Stretch.of(List.of(new SequenceRange(1, 10, 20), new SequenceRange(2, 15, 30))).get(0);

    assertThat(stretch.asked())
        .accepts(new Position(1, 11), new Position(1, 20), new Position(2, 30))
        .rejects(new Position(1, 21), new Position(2, 15), new Position(3, 16));
  }

  @Test
  void noSpansAreNoStretch() {
    assertThat(Stretch.of(List.of())).isEmpty();
  }
}
