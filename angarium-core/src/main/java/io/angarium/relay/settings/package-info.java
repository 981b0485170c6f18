/** What a relay is told, and whom it tells: settings, retry policies, listeners. */
@NullMarked
package io.angarium.relay.settings;

import org.jspecify.annotations.NullMarked;
