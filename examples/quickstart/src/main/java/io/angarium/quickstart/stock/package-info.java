/** The application that takes orders off the stock: any Kafka consumer. */
@NullMarked
package io.angarium.quickstart.stock;

import org.jspecify.annotations.NullMarked;
