package io.angarium.desk;

/**
 * A count that ends at a limit. Immutable.
 *
 * @param count 0 or more
 * @param atLeast true if the limit was reached, so that there may be more
 */
public record BoundedCount(long count, boolean atLeast) {
  /** Nothing was there. */
  public static final BoundedCount NONE = new BoundedCount(0, false);

  /** So many of at most {@code limit} that were counted. */
  public static BoundedCount upTo(long limit, long counted) {
    return new BoundedCount(Math.min(counted, limit), counted >= limit);
  }
}
