/** Pauses: destinations to which nothing is sent for a while, because a person said so. */
@NullMarked
package io.angarium.pause;

import org.jspecify.annotations.NullMarked;
