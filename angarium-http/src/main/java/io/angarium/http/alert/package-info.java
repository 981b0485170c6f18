/**
 * Channels that tell persons of alerts over HTTP: {@link io.angarium.http.alert.HttpAlertConfig}
 * says where and in which form, {@link io.angarium.http.alert.HttpAlertChannel} posts.
 */
@NullMarked
package io.angarium.http.alert;

import org.jspecify.annotations.NullMarked;
