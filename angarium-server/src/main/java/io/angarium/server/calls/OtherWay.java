package io.angarium.server.calls;

/** A way in besides HTTP, which listens at a port of its own if it is switched on. */
public interface OtherWay {
  /** What users call it. */
  String name();

  /** Host and port. */
  String address();

  /** Whether it takes calls now. */
  boolean isRunning();
}
