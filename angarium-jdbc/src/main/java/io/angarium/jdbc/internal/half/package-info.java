/** Half messages, their check-backs, and how many calls share a transaction. */
@NullMarked
package io.angarium.jdbc.internal.half;

import org.jspecify.annotations.NullMarked;
