/** What transports share: how results get to those who wait for them. */
@NullMarked
package io.angarium.transport.internal;

import org.jspecify.annotations.NullMarked;
