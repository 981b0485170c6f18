/** What every part of a relay works with. */
@NullMarked
package io.angarium.relay.internal.settings;

import org.jspecify.annotations.NullMarked;
