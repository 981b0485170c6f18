/** Proofs that each gate of the build fails on a planted fault. */
@NullMarked
package io.angarium.canaries;

import org.jspecify.annotations.NullMarked;
