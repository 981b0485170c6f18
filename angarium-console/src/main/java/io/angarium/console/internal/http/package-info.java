/** Requests, routes, answers and what browsers are told. */
@NullMarked
package io.angarium.console.internal.http;

import org.jspecify.annotations.NullMarked;
