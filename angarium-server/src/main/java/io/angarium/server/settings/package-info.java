/** The properties of the server, and the conditions that read them before anything else. */
@NullMarked
package io.angarium.server.settings;

import org.jspecify.annotations.NullMarked;
