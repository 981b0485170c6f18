package io.angarium.http;

import io.angarium.http.internal.client.Ending;
import io.angarium.http.internal.client.Target;
import io.angarium.intake.StoredMessage;
import io.angarium.transport.SendResult;
import java.net.http.HttpRequest;
import java.time.Instant;

/** How a message is written as a request, and what its receiver may say besides the status. */
interface PostForm {
  /** The name of the transport. */
  String transport();

  /** How much of an answer is kept. */
  int keptBytesMax();

  /**
   * The request that hands a message over.
   *
   * @param now goes into a signature
   * @throws IllegalArgumentException if the message cannot be sent in this form
   */
  HttpRequest post(StoredMessage stored, Target target, Instant now);

  /** What the ending means, where that is something else than what its status says. */
  SendResult judged(SendResult result, Target target, Ending ending);
}
