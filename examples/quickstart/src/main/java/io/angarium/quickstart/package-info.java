/** The quickstart: an order service with everything it needs, started by one command. */
@NullMarked
package io.angarium.quickstart;

import org.jspecify.annotations.NullMarked;
