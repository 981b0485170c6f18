/** Lists of messages as files. */
@NullMarked
package io.angarium.console.internal.export;

import org.jspecify.annotations.NullMarked;
