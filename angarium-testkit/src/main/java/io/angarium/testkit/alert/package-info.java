/** Alerts in memory, and the contract of every store of alerts. */
@NullMarked
package io.angarium.testkit.alert;

import org.jspecify.annotations.NullMarked;
