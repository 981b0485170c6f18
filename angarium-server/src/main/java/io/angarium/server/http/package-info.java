/** Half messages, operators and the landing page over HTTP, and the bounds of its connections. */
@NullMarked
package io.angarium.server.http;

import org.jspecify.annotations.NullMarked;
