/** What starts and stops with the application, and its health. */
@NullMarked
package io.angarium.spring.autoconfigure.internal.run;

import org.jspecify.annotations.NullMarked;
