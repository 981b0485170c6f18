package io.angarium.http.internal.client;

import java.net.http.HttpHeaders;
import org.jspecify.annotations.Nullable;

/** How a request ended. Immutable. */
public sealed interface Ending {
  /**
   * With an answer.
   *
   * @param body its beginning
   * @param complete false if the connection broke before its end
   */
  record Answer(int status, HttpHeaders headers, String body, boolean complete) implements Ending {}

  /**
   * Without one.
   *
   * @param cause what broke, or null if the time was over
   */
  record Silence(@Nullable Throwable cause) implements Ending {}
}
