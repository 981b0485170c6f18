/** What arrived at a broker, read by somebody who knows no transport. */
@NullMarked
package io.angarium.testtopics;

import org.jspecify.annotations.NullMarked;
