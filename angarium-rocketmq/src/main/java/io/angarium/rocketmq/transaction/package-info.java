/**
 * Half messages as RocketMQ's own transactional messages: {@link
 * io.angarium.rocketmq.transaction.RocketTransactions} and its configuration.
 */
@NullMarked
package io.angarium.rocketmq.transaction;

import org.jspecify.annotations.NullMarked;
