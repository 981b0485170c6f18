/**
 * Everything needed to test with messages but without a database or a broker: in-memory stores, a
 * fake transport, a manual clock, and the contract suites that real stores and transports must
 * pass: a test class implements {@link io.angarium.testkit.StoreTck} or {@link
 * io.angarium.testkit.TransportTck} and gives a fixture.
 */
@NullMarked
package io.angarium.testkit;

import org.jspecify.annotations.NullMarked;
