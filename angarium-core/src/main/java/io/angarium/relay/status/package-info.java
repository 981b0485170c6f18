/** What a relay says of itself at one moment. */
@NullMarked
package io.angarium.relay.status;

import org.jspecify.annotations.NullMarked;
