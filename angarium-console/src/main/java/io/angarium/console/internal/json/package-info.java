/** How records become JSON, and JSON becomes records. */
@NullMarked
package io.angarium.console.internal.json;

import org.jspecify.annotations.NullMarked;
