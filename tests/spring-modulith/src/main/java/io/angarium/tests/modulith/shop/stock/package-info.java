/** The module that reserves goods in the transaction of the order. */
@NullMarked
package io.angarium.tests.modulith.shop.stock;

import org.jspecify.annotations.NullMarked;
