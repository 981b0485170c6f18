/** The operator console as Spring Boot sets it up. */
@NullMarked
package io.angarium.spring.autoconfigure.console;

import org.jspecify.annotations.NullMarked;
