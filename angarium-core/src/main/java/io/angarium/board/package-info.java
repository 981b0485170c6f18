/** What the relay nodes of a database tell of themselves, and how much each destination took. */
@NullMarked
package io.angarium.board;

import org.jspecify.annotations.NullMarked;
