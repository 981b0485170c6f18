package io.angarium.architecture.planted;

import io.angarium.architecture.planted.internal.Inner;

final class UsingInternals {
  private UsingInternals() {}

  static void use() {
    Inner.use();
  }
}
