package io.angarium.recipes.suspending

import io.angarium.spring.listener.IdempotentConsumer
import io.angarium.testservers.RequiresServer
import io.angarium.testservers.Server
import io.angarium.testservers.SharedServers
import kotlinx.coroutines.delay
import org.apache.kafka.clients.consumer.ConsumerRecord
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatThrownBy
import org.junit.jupiter.api.Test
import org.springframework.boot.WebApplicationType
import org.springframework.boot.autoconfigure.EnableAutoConfiguration
import org.springframework.boot.builder.SpringApplicationBuilder
import org.springframework.context.annotation.Configuration
import org.springframework.kafka.annotation.KafkaListener

@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class Application

open class Plain {
    @KafkaListener(topics = ["orders"])
    @IdempotentConsumer(consumer = "stock")
    open fun receive(record: ConsumerRecord<String, ByteArray>) = Unit
}

open class Suspending {
    @KafkaListener(topics = ["orders"])
    @IdempotentConsumer(consumer = "stock")
    open suspend fun receive(record: ConsumerRecord<String, ByteArray>) = delay(1)
}

/** Work that goes on after the call has returned cannot be part of the consumer's transaction. */
@RequiresServer(Server.POSTGRESQL)
class SuspendingListenerTest {
    private val database = SharedServers.postgres().freshDatabase()

    private fun start(listener: Class<*>) =
        SpringApplicationBuilder(Application::class.java, listener)
            .web(WebApplicationType.NONE)
            .run(
                "--spring.datasource.url=${database.url()}",
                "--spring.datasource.username=${database.user()}",
                "--spring.datasource.password=${database.password()}",
                "--spring.kafka.consumer.group-id=stock",
                "--spring.kafka.listener.auto-startup=false",
                "--angarium.enabled=false",
                "--angarium.inbox.enabled=true",
                "--angarium.inbox.schema-mode=create",
            )

    @Test
    fun `a suspending listener stops the start`() {
        assertThatThrownBy { start(Suspending::class.java).close() }
            .hasStackTraceContaining("suspend (expected: not to be")
            .hasStackTraceContaining("Suspending.receive")
    }

    @Test
    fun `one that returns when its work is done starts`() {
        start(Plain::class.java).use { assertThat(it.isActive).isTrue() }
    }
}
