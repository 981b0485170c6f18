/** Reports of reconciliations in the database. */
@NullMarked
package io.angarium.jdbc.internal.report;

import org.jspecify.annotations.NullMarked;
