package io.angarium.benchmarks.harness;

import io.angarium.benchmarks.arm.Workload;

/** A committed backlog is sent: how fast, and what it costs. */
final class DrainScenario implements Scenario {
  private static final int PEER_SECONDS_MAX = 60;
  private static final int PEER_WARM_UP = 1_000;
  private static final int PEER_WARM_UP_SECONDS_MAX = 20;

  private final String parameter;
  private final Workload.Shape shape;
  private final long messages;
  private final long peerMessages;
  private final int warmUps;
  private final Lineup lineup;

  /**
   * @param parameter as in the table
   * @param messages of a round of an arm
   * @param peerMessages of a round of a peer
   * @param warmUps drains of each arm before the first that counts
   */
  DrainScenario(
      String parameter,
      Workload.Shape shape,
      long messages,
      long peerMessages,
      int warmUps,
      Lineup lineup) {
    this.parameter = parameter;
    this.shape = shape;
    this.messages = messages;
    this.peerMessages = peerMessages;
    this.warmUps = warmUps;
    this.lineup = lineup;
  }

  @Override
  public String name() {
    return "drain";
  }

  @Override
  public void run(Stage stage, Recorder recorder) throws Exception {
    Drains drains = Drains.of(shape, messages);
    recorder.say("warming up");
    for (int i = 0; i < warmUps; i++) {
      for (Contestant arm : lineup.arms()) {
        drains.warmUp(stage, arm);
      }
    }
    lineup.takeTurns(
        (arm, number) -> drains.measure(stage, recorder.round(arm, parameter, number)));
    lineup.measurePeers(
        recorder,
        parameter,
        (peer, number) -> {
          peerDrains(Math.min(PEER_WARM_UP, peerMessages), PEER_WARM_UP_SECONDS_MAX)
              .warmUp(stage, peer);
          peerDrains(peerMessages, PEER_SECONDS_MAX)
              .measure(stage, recorder.round(peer, parameter, number));
        },
        stage::dismiss);
  }

  private Drains peerDrains(long count, int secondsMax) {
    return Drains.of(shape, count).cutAfter(secondsMax);
  }
}
