/** What operators see of undecided half messages, and how they decide them. */
@NullMarked
package io.angarium.half.decide;

import org.jspecify.annotations.NullMarked;
