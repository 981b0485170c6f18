/** Reports of reconciliations in memory, and the contract of those that are stored. */
@NullMarked
package io.angarium.testkit.report;

import org.jspecify.annotations.NullMarked;
