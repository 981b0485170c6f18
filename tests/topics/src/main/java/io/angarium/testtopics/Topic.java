package io.angarium.testtopics;

import java.util.List;

/** A place at a broker where messages lie. */
public interface Topic {
  /**
   * All that lies there, repeats included, those of a key in their order. Blocks until the end that
   * the topic has at the call.
   *
   * @throws IllegalStateException if the broker does not let it, or gives nothing for a minute
   */
  List<Arrived> read();
}
