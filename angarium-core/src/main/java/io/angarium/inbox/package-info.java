/**
 * Processing messages once: the note that a message was processed is written in the transaction of
 * its work, under a unique key. Brokers deliver at least once; the second delivery finds the note.
 */
@NullMarked
package io.angarium.inbox;

import org.jspecify.annotations.NullMarked;
