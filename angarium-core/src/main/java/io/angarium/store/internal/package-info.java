/** How stores handle what a database refuses: not for use outside of Angarium. */
@NullMarked
package io.angarium.store.internal;

import org.jspecify.annotations.NullMarked;
