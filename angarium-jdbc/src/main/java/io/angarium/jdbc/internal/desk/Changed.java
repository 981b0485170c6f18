package io.angarium.jdbc.internal.desk;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A message that an act changed. Immutable.
 *
 * @param details what the audit says about it; null for nothing
 */
record Changed(UUID id, @Nullable String details) {
  static Changed of(UUID id) {
    return new Changed(id, null);
  }
}
