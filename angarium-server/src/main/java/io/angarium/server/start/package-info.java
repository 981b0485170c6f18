/** The command line, and what is looked at before anything starts. */
@NullMarked
package io.angarium.server.start;

import org.jspecify.annotations.NullMarked;
