/**
 * What clients of half messages at a server share, whatever the protocol. For the modules of this
 * project: it may change with each of their versions.
 */
@NullMarked
package io.angarium.half.internal.remote;

import org.jspecify.annotations.NullMarked;
