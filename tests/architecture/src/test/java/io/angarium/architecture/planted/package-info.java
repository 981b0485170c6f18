/** Classes that break the rules on purpose. */
@NullMarked
package io.angarium.architecture.planted;

import org.jspecify.annotations.NullMarked;
