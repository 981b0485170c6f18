/** Hibernate without Spring. */
@NullMarked
package io.angarium.recipes.hibernate;

import org.jspecify.annotations.NullMarked;
