/** The sample of docs/schema.md for Flyway, in a package that is scanned. */
@NullMarked
package io.angarium.tests.spring.flyway;

import org.jspecify.annotations.NullMarked;
