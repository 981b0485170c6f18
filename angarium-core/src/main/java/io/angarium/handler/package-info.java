/**
 * Handlers of this application that receive messages of its own outbox, without a broker. A handler
 * runs in a transaction together with the note of the {@link io.angarium.inbox.Inbox} that its
 * message was processed, so what it writes there happens once.
 */
@NullMarked
package io.angarium.handler;

import org.jspecify.annotations.NullMarked;
