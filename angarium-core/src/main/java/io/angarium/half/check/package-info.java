/** Check-back: asks applications for the outcome of transactions with undecided half messages. */
@NullMarked
package io.angarium.half.check;

import org.jspecify.annotations.NullMarked;
