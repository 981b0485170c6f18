/** The service that takes paid orders off the stock: what you would write, with its inbox. */
@NullMarked
package io.angarium.orderstock.stock;

import org.jspecify.annotations.NullMarked;
