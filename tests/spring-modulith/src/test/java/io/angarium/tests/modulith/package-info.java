/** Externalized events of Spring Modulith in a modular application. */
@NullMarked
package io.angarium.tests.modulith;

import org.jspecify.annotations.NullMarked;
