/** How payloads are shown and masked. */
@NullMarked
package io.angarium.console.internal.payload;

import org.jspecify.annotations.NullMarked;
