package io.angarium.messagecentre.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.angarium.http.signature.HttpSignature;
import java.util.List;
import org.junit.jupiter.api.Test;

class SecretTest {
  @Test
  void eachRunHasOneOfItsOwnThatSigns() {
    Secret first = Secret.draw();
    Secret second = Secret.draw();

    assertThat(first).isNotEqualTo(second);
    assertThatCode(() -> HttpSignature.of(List.of(first.value(), second.value())))
        .doesNotThrowAnyException();
  }

  @Test
  void processesAreGivenItByTheirEnvironmentAlone() {
    ProcessBuilder process = new ProcessBuilder("java", Secret.PLACEHOLDER);
    Secret secret = Secret.draw();

    secret.in(process);

    assertThat(process.environment().get("CHECK_BACK_SECRET")).isEqualTo(secret.value());
    assertThat(process.command() + " " + secret).doesNotContain(secret.value());
  }
}
