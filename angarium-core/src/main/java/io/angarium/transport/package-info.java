/** What the relay needs from a broker. For implementers of a transport. */
@NullMarked
package io.angarium.transport;

import org.jspecify.annotations.NullMarked;
