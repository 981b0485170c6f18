/** Meters of the server. */
@NullMarked
package io.angarium.server.metrics;

import org.jspecify.annotations.NullMarked;
