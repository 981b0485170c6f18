/** Connections that stay with one kind of work, and the server that each of them leads to. */
@NullMarked
package io.angarium.jdbc.internal.session;

import org.jspecify.annotations.NullMarked;
