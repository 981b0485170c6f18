/**
 * The stores, the inbox and half messages in memory, and {@link
 * io.angarium.testkit.memory.RecordingOutbox}, for tests without a database.
 */
@NullMarked
package io.angarium.testkit.memory;

import org.jspecify.annotations.NullMarked;
