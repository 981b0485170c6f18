package io.angarium.testtopics;

import org.jspecify.annotations.Nullable;

/**
 * A copy of a message that lies at a broker. Immutable.
 *
 * @param id of the message, the same for all its copies; empty if it carries none
 * @param key null for a message without one
 */
public record Arrived(String id, @Nullable String key, String text) {}
