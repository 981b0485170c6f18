/** The statements of a reconciliation, and how keys are read for it. */
@NullMarked
package io.angarium.jdbc.internal.reconciliation;

import org.jspecify.annotations.NullMarked;
