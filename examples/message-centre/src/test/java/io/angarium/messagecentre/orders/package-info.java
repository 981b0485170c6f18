/** The order service, without the others. */
@NullMarked
package io.angarium.messagecentre.orders;

import org.jspecify.annotations.NullMarked;
