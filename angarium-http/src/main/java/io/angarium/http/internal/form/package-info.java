/**
 * The forms in which a producer is asked about half messages: Angarium's own, TrustMessage's and
 * dtm's.
 */
@NullMarked
package io.angarium.http.internal.form;

import org.jspecify.annotations.NullMarked;
