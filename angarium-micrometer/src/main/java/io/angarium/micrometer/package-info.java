/**
 * Metrics and traces of the relay through Micrometer: {@link io.angarium.micrometer.RelayMetrics}
 * and {@link io.angarium.micrometer.BacklogMetrics} for what {@link
 * io.angarium.micrometer.OutboxMeter} lists, {@link io.angarium.micrometer.TraceCapture} and {@link
 * io.angarium.micrometer.RelayTracing} for traces that outlive the process.
 */
@NullMarked
package io.angarium.micrometer;

import org.jspecify.annotations.NullMarked;
