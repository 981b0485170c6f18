/** How the console behaves, and which databases it shows. */
@NullMarked
package io.angarium.console.settings;

import org.jspecify.annotations.NullMarked;
