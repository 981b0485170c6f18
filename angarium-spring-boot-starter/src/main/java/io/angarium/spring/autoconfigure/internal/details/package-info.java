/** Addresses and accounts of brokers, from connection details before properties. */
@NullMarked
package io.angarium.spring.autoconfigure.internal.details;

import org.jspecify.annotations.NullMarked;
