package io.angarium.architecture.planted.util;

/** Its package has no {@code @NullMarked} and a name that says nothing. */
public final class Anything {
  private Anything() {}
}
