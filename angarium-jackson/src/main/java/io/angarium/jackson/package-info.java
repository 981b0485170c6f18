/** Payload objects as JSON, written and read by the Jackson of the application. */
@NullMarked
package io.angarium.jackson;

import org.jspecify.annotations.NullMarked;
