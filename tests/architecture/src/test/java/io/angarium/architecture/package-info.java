/** Rules that hold for the compiled classes of all modules, and proofs that they can fail. */
@NullMarked
package io.angarium.architecture;

import org.jspecify.annotations.NullMarked;
