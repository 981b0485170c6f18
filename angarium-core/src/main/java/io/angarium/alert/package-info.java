/** Rules that notice what needs a person, and the channels by which a person is told. */
@NullMarked
package io.angarium.alert;

import org.jspecify.annotations.NullMarked;
