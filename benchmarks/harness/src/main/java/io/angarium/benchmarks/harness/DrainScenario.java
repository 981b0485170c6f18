package io.angarium.benchmarks.harness;

import io.angarium.benchmarks.arm.Workload;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A committed backlog is sent: how fast, and what it costs. */
final class DrainScenario implements Scenario {
  private final Workload.Shape shape;
  private final long messages;
  private final long peerMessages;
  private final int pairs;
  private final int warmUps;
  private final List<Contestant> arms;
  private final List<Contestant> peers;

  /**
   * @param messages of a round of an arm
   * @param peerMessages of a round of a peer
   * @param pairs times each arm is measured
   */
  DrainScenario(
      Workload.Shape shape,
      long messages,
      long peerMessages,
      int pairs,
      int warmUps,
      List<Contestant> arms,
      List<Contestant> peers) {
    this.shape = shape;
    this.messages = messages;
    this.peerMessages = peerMessages;
    this.pairs = pairs;
    this.warmUps = warmUps;
    this.arms = List.copyOf(arms);
    this.peers = List.copyOf(peers);
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
      for (Contestant arm : arms) {
        drains.warmUp(stage, arm);
      }
    }
    List<Contestant> order = new ArrayList<>(arms);
    for (int pair = 1; pair <= pairs; pair++) {
      for (Contestant arm : order) {
        drains.measure(stage, recorder, arm, "", pair);
      }
      Collections.reverse(order);
    }
    for (Contestant peer : peers) {
      drain(stage, recorder, peer);
    }
  }

  private void drain(Stage stage, Recorder recorder, Contestant peer) {
    Drains drains = Drains.of(shape, peerMessages).cutAfter(60);
    try {
      Drains.of(shape, Math.min(1_000, peerMessages)).cutAfter(20).warmUp(stage, peer);
      drains.measure(stage, recorder, peer, "", 1);
    } catch (Exception e) {
      recorder.failed(peer, "", e);
    } finally {
      stage.dismiss(peer);
    }
  }
}
