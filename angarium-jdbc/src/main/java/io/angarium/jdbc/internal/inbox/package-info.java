/** The statements of each database for the inbox, and its tables. */
@NullMarked
package io.angarium.jdbc.internal.inbox;

import org.jspecify.annotations.NullMarked;
