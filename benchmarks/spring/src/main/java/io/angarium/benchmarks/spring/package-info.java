/** What the arms that are Spring Boot applications have in common. */
@NullMarked
package io.angarium.benchmarks.spring;

import org.jspecify.annotations.NullMarked;
