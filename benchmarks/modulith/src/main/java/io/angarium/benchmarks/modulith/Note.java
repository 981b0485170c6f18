package io.angarium.benchmarks.modulith;

import org.jspecify.annotations.Nullable;

/** The event that is published; its text is what Kafka gets. */
record Note(@Nullable String key, String text) {}
