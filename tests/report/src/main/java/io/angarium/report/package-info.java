/** The last words of a build: what was tested, and on which servers. */
@NullMarked
package io.angarium.report;

import org.jspecify.annotations.NullMarked;
