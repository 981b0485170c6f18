/** Messages that were given up, and what persons and programs do with them. */
@NullMarked
package io.angarium.deadletter;

import org.jspecify.annotations.NullMarked;
