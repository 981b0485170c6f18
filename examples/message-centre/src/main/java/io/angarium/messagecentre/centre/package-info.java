/** The reliable message centre as it is, ended with the program that started it. */
@NullMarked
package io.angarium.messagecentre.centre;

import org.jspecify.annotations.NullMarked;
