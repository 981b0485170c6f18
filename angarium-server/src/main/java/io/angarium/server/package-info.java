/**
 * The reliable message centre: an application that keeps half messages for producers with databases
 * of their own, and forwards what they commit. {@link io.angarium.server.Server} starts it.
 */
@NullMarked
package io.angarium.server;

import org.jspecify.annotations.NullMarked;
