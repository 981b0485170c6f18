package io.angarium.benchmarks.gruelbox;

import org.jspecify.annotations.Nullable;

/** The call that is put into the outbox. */
interface Publication {
  void publish(@Nullable String key, String text);
}
