/**
 * Posts messages to web hooks, for users without a broker. Users need {@link
 * io.angarium.http.HttpConfig}, {@link io.angarium.http.HttpHook} and {@link
 * io.angarium.http.HttpTransport}; receivers find the headers in {@link
 * io.angarium.http.HttpWireFormat} and check who sent them by {@link
 * io.angarium.http.signature.HttpSignature}.
 */
@NullMarked
package io.angarium.http;

import org.jspecify.annotations.NullMarked;
