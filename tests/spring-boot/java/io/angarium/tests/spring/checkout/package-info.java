/** An application as users have it, for tests as users write them. */
@NullMarked
package io.angarium.tests.spring.checkout;

import org.jspecify.annotations.NullMarked;
