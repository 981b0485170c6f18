/** The operator console with a shop behind it that has every trouble. */
@NullMarked
package io.angarium.examples.consoledemo;

import org.jspecify.annotations.NullMarked;
