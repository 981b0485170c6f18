/** The calls of the operator console. */
@NullMarked
package io.angarium.server.console;

import org.jspecify.annotations.NullMarked;
