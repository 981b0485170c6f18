/**
 * Half messages: messages whose fate a local transaction decides, see {@link
 * io.angarium.half.HalfMessages}, and how that fate is found out when nobody told it. A {@link
 * io.angarium.half.Marker} row is written by the transaction itself, so whoever asks later needs no
 * code of the application.
 */
@NullMarked
package io.angarium.half;

import org.jspecify.annotations.NullMarked;
