/** The calls of the operator API. */
@NullMarked
package io.angarium.console.internal.calls;

import org.jspecify.annotations.NullMarked;
