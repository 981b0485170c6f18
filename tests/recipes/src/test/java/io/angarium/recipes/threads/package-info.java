/** Messages sent from virtual threads. */
@NullMarked
package io.angarium.recipes.threads;

import org.jspecify.annotations.NullMarked;
