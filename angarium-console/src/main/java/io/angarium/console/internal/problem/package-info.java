/** The answers to calls that fail. */
@NullMarked
package io.angarium.console.internal.problem;

import org.jspecify.annotations.NullMarked;
