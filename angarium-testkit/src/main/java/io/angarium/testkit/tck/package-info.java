/**
 * Contract suites for stores, transports, inboxes and half messages. A test class implements one,
 * such as {@link io.angarium.testkit.tck.StoreTck}, and gives a fixture.
 */
@NullMarked
package io.angarium.testkit.tck;

import org.jspecify.annotations.NullMarked;
