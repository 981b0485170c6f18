/** The operator console: a page and the API that it uses, for any servlet container. */
@NullMarked
package io.angarium.console;

import org.jspecify.annotations.NullMarked;
