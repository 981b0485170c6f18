/** Alerts as Spring Boot sets them up. */
@NullMarked
package io.angarium.spring.autoconfigure.alert;

import org.jspecify.annotations.NullMarked;
