/** Work that goes on in the background, and how it reports what it cannot do. */
@NullMarked
package io.angarium.background;

import org.jspecify.annotations.NullMarked;
