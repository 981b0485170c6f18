/** Starts the processes, kills the order service where it matters, and compares the books. */
@NullMarked
package io.angarium.messagecentre.demo;

import org.jspecify.annotations.NullMarked;
