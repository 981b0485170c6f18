/** The command runs as a process of its own, as a user starts it. */
@NullMarked
package io.angarium.messagecentre;

import org.jspecify.annotations.NullMarked;
