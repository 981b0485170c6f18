/**
 * Sends messages to Apache RocketMQ. Users need {@link io.angarium.rocketmq.RocketConfig} and
 * {@link io.angarium.rocketmq.RocketTransport}; consumers find the properties in {@link
 * io.angarium.rocketmq.RocketWireFormat}.
 */
@NullMarked
package io.angarium.rocketmq;

import org.jspecify.annotations.NullMarked;
