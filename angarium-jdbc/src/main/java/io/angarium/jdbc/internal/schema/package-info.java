/** Creates and checks the tables, one part of the schema after the other. */
@NullMarked
package io.angarium.jdbc.internal.schema;

import org.jspecify.annotations.NullMarked;
