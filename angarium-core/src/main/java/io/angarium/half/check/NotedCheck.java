package io.angarium.half.check;

import io.angarium.half.CheckAnswer;
import io.angarium.half.Verdict;
import java.time.Duration;

/**
 * What came of a check that decided nothing. Immutable.
 *
 * @param check as it was claimed
 * @param answer the last one
 * @param unknown how often the producer has answered {@link Verdict#UNKNOWN}, this time included
 * @param unreachable how often in a row it could not be asked, likewise
 * @param pause until it is asked again
 */
public record NotedCheck(
    DueCheck check, CheckAnswer answer, int unknown, int unreachable, Duration pause) {}
