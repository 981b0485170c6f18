/** What went wrong, and how a caller is told. */
@NullMarked
package io.angarium.server.problem;

import org.jspecify.annotations.NullMarked;
