package io.angarium.architecture.planted.internal;

/** Of a module's own. */
public final class Inner {
  private Inner() {}

  /** Does nothing. */
  public static void use() {}
}
