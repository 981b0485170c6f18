/** The modular application. */
@NullMarked
package io.angarium.tests.modulith.shop;

import org.jspecify.annotations.NullMarked;
