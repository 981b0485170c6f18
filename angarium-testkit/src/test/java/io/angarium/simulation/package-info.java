/** Seeded simulation of whole relays, with the mutants that prove it notices faults. */
@NullMarked
package io.angarium.simulation;

import org.jspecify.annotations.NullMarked;
