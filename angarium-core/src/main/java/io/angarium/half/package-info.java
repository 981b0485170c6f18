/**
 * Half messages: messages whose fate a local transaction decides, see {@link
 * io.angarium.half.HalfMessages}. If the fate is not reported, this package finds it out. The
 * transaction itself writes a {@link io.angarium.half.Marker} row, so a later question needs no
 * code of the application.
 */
@NullMarked
package io.angarium.half;

import org.jspecify.annotations.NullMarked;
