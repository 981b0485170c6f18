/** What the programs of the recipes share. */
@NullMarked
package io.angarium.recipes;

import org.jspecify.annotations.NullMarked;
