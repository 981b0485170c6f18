/** Asks producers over HTTP whether their transactions committed, and the endpoint that answers. */
@NullMarked
package io.angarium.http.check;

import org.jspecify.annotations.NullMarked;
