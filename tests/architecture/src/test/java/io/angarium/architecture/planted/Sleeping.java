package io.angarium.architecture.planted;

import java.util.concurrent.TimeUnit;

final class Sleeping {
  private Sleeping() {}

  static final class Thread1 {
    static void pause() throws InterruptedException {
      Thread.sleep(1);
    }
  }

  static final class Unit {
    static void pause() throws InterruptedException {
      TimeUnit.SECONDS.sleep(1);
    }
  }
}
