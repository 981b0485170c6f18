/** What a person does in the console, in a browser. */
@NullMarked
package io.angarium.examples.consoledemo;

import org.jspecify.annotations.NullMarked;
