/** Local transactions whose markers decide half messages. */
@NullMarked
package io.angarium.half.local;

import org.jspecify.annotations.NullMarked;
