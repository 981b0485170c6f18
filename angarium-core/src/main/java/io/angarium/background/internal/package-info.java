/** Tasks that repeat in the background, on threads of their own. */
@NullMarked
package io.angarium.background.internal;

import org.jspecify.annotations.NullMarked;
