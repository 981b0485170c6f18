/** The rows of each stage, read in order and in bounded strides. */
@NullMarked
package io.angarium.jdbc.internal.desk.stage;

import org.jspecify.annotations.NullMarked;
