/** Pauses in memory, and the contract of every store of pauses. */
@NullMarked
package io.angarium.testkit.pause;

import org.jspecify.annotations.NullMarked;
