/**
 * What the tests of all transports need: messages as a store gives them, and a place for results.
 */
@NullMarked
package io.angarium.testtransports;

import org.jspecify.annotations.NullMarked;
