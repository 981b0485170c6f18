/**
 * An inbox for consumers that have no database: messages are noted in Redis. Users need {@link
 * io.angarium.redis.RedisInbox} and {@link io.angarium.redis.RedisInboxConfig}.
 */
@NullMarked
package io.angarium.redis;

import org.jspecify.annotations.NullMarked;
