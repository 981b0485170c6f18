/** Half messages over Dubbo, and the bounds of its port. */
@NullMarked
package io.angarium.server.dubbo;

import org.jspecify.annotations.NullMarked;
