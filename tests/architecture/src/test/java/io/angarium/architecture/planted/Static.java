package io.angarium.architecture.planted;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;

final class Static {
  private Static() {}

  static final class Counter {
    static int count;
  }

  static final class Atomic {
    static final AtomicLong COUNT = new AtomicLong();
  }

  static final class Updater {
    static final AtomicLongFieldUpdater<Updater> COUNT =
        AtomicLongFieldUpdater.newUpdater(Updater.class, "count");
    volatile long count;
  }

  static final class OpenArray {
    static final byte[] BYTES = {1};
  }

  static final class Constants {
    static final List<String> NAMES = List.of("a");
    private static final byte[] BYTES = {1};

    static int length() {
      return BYTES.length;
    }
  }

  enum Kind {
    ONE,
    TWO
  }
}
