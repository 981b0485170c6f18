/**
 * What the tests of all transports need: messages as a store gives them, a place for results, and
 * sending again through faults.
 */
@NullMarked
package io.angarium.testtransports;

import org.jspecify.annotations.NullMarked;
