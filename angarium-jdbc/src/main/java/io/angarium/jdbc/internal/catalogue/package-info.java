/** What the catalogue of each database says about tables and their columns. */
@NullMarked
package io.angarium.jdbc.internal.catalogue;

import org.jspecify.annotations.NullMarked;
