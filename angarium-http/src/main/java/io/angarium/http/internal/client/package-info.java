/** Calls with deadlines, and what they ended with: an answer read up to a bound, or silence. */
@NullMarked
package io.angarium.http.internal.client;

import org.jspecify.annotations.NullMarked;
