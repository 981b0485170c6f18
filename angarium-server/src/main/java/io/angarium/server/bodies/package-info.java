/** Bodies of requests: the memory they take and the pace at which they must come. */
@NullMarked
package io.angarium.server.bodies;

import org.jspecify.annotations.NullMarked;
