/** What senders and topology share. */
@NullMarked
package io.angarium.rabbitmq.internal;

import org.jspecify.annotations.NullMarked;
