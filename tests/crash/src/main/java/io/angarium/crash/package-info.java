/** Services that are killed in mid-work, the run that kills them, and the check of what arrived. */
@NullMarked
package io.angarium.crash;

import org.jspecify.annotations.NullMarked;
