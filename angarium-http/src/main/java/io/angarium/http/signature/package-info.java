/**
 * Signatures of requests by a shared secret, as {@link io.angarium.http.signature.HttpSignature}
 * makes and checks them.
 */
@NullMarked
package io.angarium.http.signature;

import org.jspecify.annotations.NullMarked;
