/** Alerts in the database. */
@NullMarked
package io.angarium.jdbc.internal.alert;

import org.jspecify.annotations.NullMarked;
