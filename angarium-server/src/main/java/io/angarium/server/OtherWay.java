package io.angarium.server;

/** A way in besides HTTP, which listens at a port of its own if it is switched on. */
interface OtherWay {
  /** What users call it. */
  String name();

  /** Host and port. */
  String address();

  /** Whether it takes calls now. */
  boolean isRunning();
}
