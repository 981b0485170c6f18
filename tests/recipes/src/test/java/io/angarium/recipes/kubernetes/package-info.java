/** Two pods of one application. */
@NullMarked
package io.angarium.recipes.kubernetes;

import org.jspecify.annotations.NullMarked;
