/** Operations: acts on many messages that persons begin and nodes carry out. */
@NullMarked
package io.angarium.operation;

import org.jspecify.annotations.NullMarked;
