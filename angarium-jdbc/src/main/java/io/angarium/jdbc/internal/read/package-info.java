/** Reads new rows, and those that are committed late. */
@NullMarked
package io.angarium.jdbc.internal.read;

import org.jspecify.annotations.NullMarked;
