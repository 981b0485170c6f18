/**
 * Addresses of web hooks and endpoints: their form, the hosts that may be called, and what is sent
 * along to them.
 */
@NullMarked
package io.angarium.http.internal.url;

import org.jspecify.annotations.NullMarked;
