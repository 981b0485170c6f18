/** Data sources, their transaction managers, and what is opened on them. */
@NullMarked
package io.angarium.spring.autoconfigure.internal.data;

import org.jspecify.annotations.NullMarked;
