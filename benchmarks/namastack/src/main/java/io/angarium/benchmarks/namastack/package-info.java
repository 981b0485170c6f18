/** Namastack Outbox as an arm of the comparison. */
@NullMarked
package io.angarium.benchmarks.namastack;

import org.jspecify.annotations.NullMarked;
