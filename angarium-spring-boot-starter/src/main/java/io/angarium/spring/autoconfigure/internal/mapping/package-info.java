/** From properties to the configuration records of the modules. */
@NullMarked
package io.angarium.spring.autoconfigure.internal.mapping;

import org.jspecify.annotations.NullMarked;
