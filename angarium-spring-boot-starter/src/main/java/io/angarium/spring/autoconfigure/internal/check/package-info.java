/** What is wrong with a configuration, and what a start that fails says. */
@NullMarked
package io.angarium.spring.autoconfigure.internal.check;

import org.jspecify.annotations.NullMarked;
