/** Wiring for Spring Boot 3.5 and 4, and the properties under {@code angarium}. */
@NullMarked
package io.angarium.spring.autoconfigure;

import org.jspecify.annotations.NullMarked;
