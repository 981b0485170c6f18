package io.angarium.benchmarks.harness;

/**
 * What was used until now, or between two such times. Immutable.
 *
 * @param arm processor time of the arm's JVM, in nanoseconds
 * @param database processor time of the database, in nanoseconds
 * @param broker processor time of Kafka, in nanoseconds
 * @param log bytes the database wrote to its log (WAL, redo)
 */
record Usage(long arm, long database, long broker, long log) {
  Usage since(Usage earlier) {
    return new Usage(
        arm - earlier.arm, database - earlier.database, broker - earlier.broker, log - earlier.log);
  }
}
