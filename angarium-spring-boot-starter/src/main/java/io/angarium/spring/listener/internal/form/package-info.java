/**
 * The arguments of listener methods of each kind of broker: how a message is read from them,
 * packed, and acknowledged.
 */
@NullMarked
package io.angarium.spring.listener.internal.form;

import org.jspecify.annotations.NullMarked;
