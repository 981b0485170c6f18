package io.angarium.architecture.planted.circle;

import io.angarium.architecture.planted.circle.below.Below;

/** Uses what is below it. */
public final class Above {
  private Above() {}

  /** Does nothing. */
  public static void use() {
    Below.use();
  }
}
