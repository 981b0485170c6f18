/** Joins Spring's transactions: the outbox that finds the running one, and what watches it. */
@NullMarked
package io.angarium.spring;

import org.jspecify.annotations.NullMarked;
