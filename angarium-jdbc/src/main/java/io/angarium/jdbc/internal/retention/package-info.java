/** Rows that are old enough to be deleted. */
@NullMarked
package io.angarium.jdbc.internal.retention;

import org.jspecify.annotations.NullMarked;
