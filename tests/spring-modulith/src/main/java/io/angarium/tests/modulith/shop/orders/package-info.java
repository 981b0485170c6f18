/** The module that takes orders. */
@NullMarked
package io.angarium.tests.modulith.shop.orders;

import org.jspecify.annotations.NullMarked;
