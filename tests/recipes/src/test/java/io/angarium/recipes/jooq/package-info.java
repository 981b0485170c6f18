/** jOOQ, with Spring and without. */
@NullMarked
package io.angarium.recipes.jooq;

import org.jspecify.annotations.NullMarked;
