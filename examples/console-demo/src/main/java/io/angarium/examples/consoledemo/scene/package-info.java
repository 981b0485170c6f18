/** The shop and its troubles: what it sends, and how its brokers answer. */
@NullMarked
package io.angarium.examples.consoledemo.scene;

import org.jspecify.annotations.NullMarked;
