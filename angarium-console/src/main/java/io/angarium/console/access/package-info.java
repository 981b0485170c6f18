/** Who is let into the console, and what they may do there. */
@NullMarked
package io.angarium.console.access;

import org.jspecify.annotations.NullMarked;
