package io.angarium.tests.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The samples of docs/objects.md compile together, each with the imports that it shows. */
@OnBootFour
class ObjectsPageTest {
  @Test
  void everySampleCompiles(@TempDir Path folder) throws IOException {
    List<String> samples = Samples.of("docs/objects.md");

    assertThat(samples).hasSize(7);
    assertThat(Samples.complaints(folder, samples)).isEmpty();
  }

  @Test
  void sampleThatDoesNotCompileIsFound(@TempDir Path folder) {
    assertThat(Samples.complaints(folder, List.of("class A { Missing b; }"))).contains("Missing");
  }
}
