/** Operations on many messages, in a database. */
@NullMarked
package io.angarium.jdbc.internal.operation;

import org.jspecify.annotations.NullMarked;
