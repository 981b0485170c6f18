/** What several modules share: texts of durations, similar words, digests of names, wildcards. */
@NullMarked
package io.angarium.internal;

import org.jspecify.annotations.NullMarked;
