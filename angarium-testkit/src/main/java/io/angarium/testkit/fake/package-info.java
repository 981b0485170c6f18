/** A broker in memory whose answers a test plans. */
@NullMarked
package io.angarium.testkit.fake;

import org.jspecify.annotations.NullMarked;
