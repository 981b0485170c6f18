/** What rules of alerts look at, and how it is read. */
@NullMarked
package io.angarium.alert.signal;

import org.jspecify.annotations.NullMarked;
