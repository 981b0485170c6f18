/** Sessions, keys and tickets. */
@NullMarked
package io.angarium.console.internal.access;

import org.jspecify.annotations.NullMarked;
