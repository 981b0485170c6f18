/** The contract suite of the node board, and a board in memory. */
@NullMarked
package io.angarium.testkit.board;

import org.jspecify.annotations.NullMarked;
