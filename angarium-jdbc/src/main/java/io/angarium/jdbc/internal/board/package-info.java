/** The node board of a database. */
@NullMarked
package io.angarium.jdbc.internal.board;

import org.jspecify.annotations.NullMarked;
