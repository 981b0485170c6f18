/** Calls for half messages, whichever way they come in: what is permitted, and in a quota. */
@NullMarked
package io.angarium.server.calls;

import org.jspecify.annotations.NullMarked;
