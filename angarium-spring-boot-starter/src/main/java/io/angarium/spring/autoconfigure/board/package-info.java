/** Tells the node board what the relay of an application does. */
@NullMarked
package io.angarium.spring.autoconfigure.board;

import org.jspecify.annotations.NullMarked;
