package io.angarium.benchmarks.centre;

import io.angarium.benchmarks.arm.Arm;
import io.angarium.benchmarks.arm.ArmProgram;
import io.angarium.benchmarks.arm.ArmSettings;
import io.angarium.benchmarks.arm.ServerChild;
import io.angarium.http.half.HttpHalfConfig;
import io.angarium.http.half.HttpHalfMessages;
import io.angarium.intake.MessageIntake;
import java.io.IOException;
import java.util.List;

/** The message centre over HTTP. */
public final class HttpArm {
  private HttpArm() {}

  /** Obeys the harness. */
  public static void main(String[] args) throws IOException {
    ArmProgram.run(HttpArm::open);
  }

  static Arm open(ArmSettings settings) throws IOException {
    ServerChild server = Centre.start(settings, List.of());
    HttpHalfMessages half =
        HttpHalfMessages.open(
            HttpHalfConfig.of(server.address()).apiKey(Centre.KEY), MessageIntake.of(null));
    return new CentreArm(
        settings,
        half,
        () -> {
          half.close();
          server.close();
        });
  }
}
