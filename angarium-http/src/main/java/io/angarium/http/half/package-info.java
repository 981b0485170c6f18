/**
 * Half messages by calls of a message centre: {@link io.angarium.http.half.HttpHalfMessages}, its
 * configuration, and the JSON of its requests and answers, for those who serve them.
 */
@NullMarked
package io.angarium.http.half;

import org.jspecify.annotations.NullMarked;
