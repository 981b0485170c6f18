/**
 * Tests with messages but without a database or a broker: what was published, a manual clock, and
 * deliveries that come twice. The stores in memory lie in {@code testkit.memory}, the transport
 * that a test plans in {@code testkit.fake}, and the contract suites that real stores and
 * transports must pass in {@code testkit.tck}.
 */
@NullMarked
package io.angarium.testkit;

import org.jspecify.annotations.NullMarked;
