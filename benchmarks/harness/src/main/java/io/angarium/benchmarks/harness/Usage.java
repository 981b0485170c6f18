package io.angarium.benchmarks.harness;

/**
 * What was used until now, or between two such times. Immutable.
 *
 * @param arm processor time of the arm's JVM, in nanoseconds
 * @param children processor time of what the arm started, in nanoseconds
 * @param database processor time of the database, in nanoseconds
 * @param broker processor time of the broker, in nanoseconds
 * @param log bytes the database wrote to its log (WAL, redo)
 */
record Usage(long arm, long children, long database, long broker, long log) {
  Usage since(Usage earlier) {
    return new Usage(
        arm - earlier.arm,
        children - earlier.children,
        database - earlier.database,
        broker - earlier.broker,
        log - earlier.log);
  }

  static final Usage NONE = new Usage(0, 0, 0, 0, 0);

  Usage plus(Usage other) {
    return new Usage(
        arm + other.arm,
        children + other.children,
        database + other.database,
        broker + other.broker,
        log + other.log);
  }

  Usage times(int factor) {
    return new Usage(
        arm * factor, children * factor, database * factor, broker * factor, log * factor);
  }

  Usage dividedBy(int divisor) {
    return new Usage(
        arm / divisor, children / divisor, database / divisor, broker / divisor, log / divisor);
  }
}
