/**
 * What is around the two services for the demonstration: servers, processes, trouble, the check.
 */
@NullMarked
package io.angarium.orderstock.demo;

import org.jspecify.annotations.NullMarked;
