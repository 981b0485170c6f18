/** What is wrong with the configuration: a start that stops lists all of it. */
@NullMarked
package io.angarium.server.faults;

import org.jspecify.annotations.NullMarked;
