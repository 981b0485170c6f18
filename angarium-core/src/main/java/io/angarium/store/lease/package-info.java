/** Who is alive and who owns which partition: the interface that stores implement. */
@NullMarked
package io.angarium.store.lease;

import org.jspecify.annotations.NullMarked;
