/** An application with two data sources. */
@NullMarked
package io.angarium.recipes.datasources;

import org.jspecify.annotations.NullMarked;
