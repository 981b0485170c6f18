/** Operations in memory. */
@NullMarked
package io.angarium.testkit.operation;

import org.jspecify.annotations.NullMarked;
