package io.angarium.http;

import io.angarium.http.internal.client.HttpAttempt;
import io.angarium.http.internal.client.Target;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The messages of one hook or host: those that wait for their turn, and how many are under way.
 * Guarded by {@link Traffic}.
 */
final class HostQueue {
  final Deque<Job> waiting = new ArrayDeque<>();
  int underWay;

  /** True while it stands in the line of those that may start a request. */
  boolean inLine;

  /** A message and where it goes. */
  record Job(HttpAttempt attempt, Target target, HostQueue lane) {}

  boolean mayStart(int inFlightMax) {
    return !waiting.isEmpty() && underWay < inFlightMax;
  }
}
