/** The properties under {@code angarium}, and how a module adds its own. */
@NullMarked
package io.angarium.spring.settings;

import org.jspecify.annotations.NullMarked;
