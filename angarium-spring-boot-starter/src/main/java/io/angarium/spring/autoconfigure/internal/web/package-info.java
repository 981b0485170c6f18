/** Endpoints: the Actuator's, and those that take check-backs and receipts. */
@NullMarked
package io.angarium.spring.autoconfigure.internal.web;

import org.jspecify.annotations.NullMarked;
