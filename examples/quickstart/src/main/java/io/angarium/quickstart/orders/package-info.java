/** The application that places orders: the part you would write. */
@NullMarked
package io.angarium.quickstart.orders;

import org.jspecify.annotations.NullMarked;
