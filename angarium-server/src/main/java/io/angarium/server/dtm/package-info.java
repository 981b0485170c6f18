/** Messages in the manner of dtm. */
@NullMarked
package io.angarium.server.dtm;

import org.jspecify.annotations.NullMarked;
