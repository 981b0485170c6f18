/** Tests of the test servers. */
@NullMarked
package io.angarium.testservers;

import org.jspecify.annotations.NullMarked;
