/** Arms that call the message centre. */
@NullMarked
package io.angarium.benchmarks.centre;

import org.jspecify.annotations.NullMarked;
