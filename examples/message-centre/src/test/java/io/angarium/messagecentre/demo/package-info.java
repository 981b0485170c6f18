/** The parts of the program itself. */
@NullMarked
package io.angarium.messagecentre.demo;

import org.jspecify.annotations.NullMarked;
