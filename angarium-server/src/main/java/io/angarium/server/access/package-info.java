/** Who calls, by key or token, what the caller may do, and how often. */
@NullMarked
package io.angarium.server.access;

import org.jspecify.annotations.NullMarked;
