/** The order service: it has a database of its own, and tells what it has committed. */
@NullMarked
package io.angarium.messagecentre.orders;

import org.jspecify.annotations.NullMarked;
