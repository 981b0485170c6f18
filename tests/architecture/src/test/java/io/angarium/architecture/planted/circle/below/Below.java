package io.angarium.architecture.planted.circle.below;

import io.angarium.architecture.planted.circle.Above;

/** Uses what is above it. */
public final class Below {
  private Below() {}

  /** Does nothing. */
  public static void use() {
    Above.use();
  }
}
