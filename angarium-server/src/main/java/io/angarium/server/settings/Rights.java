package io.angarium.server.settings;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.util.unit.DataSize;

/** What a caller may do, as it is configured for a key or a token. */
public sealed interface Rights permits ServerProperties.ApiKey, OAuth2Properties.Grant {
  /** Which business ids, perhaps with {@code *} for any characters. */
  List<String> businesses();

  /** To which destinations it may prepare, and whose dead letters it may see, likewise. */
  List<String> destinations();

  /** What it may do with them. */
  Set<Permission> steps();

  /** Calls in a second, at each server; null for any number. */
  @Nullable Integer rate();

  /** The largest payload; null for that of the limits. */
  @Nullable DataSize payloadMax();
}
