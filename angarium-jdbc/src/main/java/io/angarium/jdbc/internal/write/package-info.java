/** What is written to the outbox, and what becomes of messages that were sent, failed or died. */
@NullMarked
package io.angarium.jdbc.internal.write;

import org.jspecify.annotations.NullMarked;
