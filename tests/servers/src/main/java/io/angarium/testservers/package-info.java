/**
 * Real PostgreSQL, MariaDB, MySQL, Kafka, RabbitMQ, RocketMQ and Redis servers as processes of the
 * tests' own.
 *
 * <p>Most tests want {@link io.angarium.testservers.SharedServers}, which starts each server once
 * per JVM, together with {@link io.angarium.testservers.RequiresServer}. Crash tests start a server
 * of their own with {@link io.angarium.testservers.DatabaseServer#start}, {@link
 * io.angarium.testservers.KafkaServer#start}, {@link io.angarium.testservers.RabbitServer#start},
 * {@link io.angarium.testservers.RedisServer#start} or {@link
 * io.angarium.testservers.RocketServer#start} and then kill, stop or pause it, or put a {@link
 * io.angarium.testservers.FaultProxy} in front of it.
 */
@NullMarked
package io.angarium.testservers;

import org.jspecify.annotations.NullMarked;
