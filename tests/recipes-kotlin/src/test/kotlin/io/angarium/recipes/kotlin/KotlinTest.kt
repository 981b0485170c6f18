package io.angarium.recipes.kotlin

import io.angarium.Message
import io.angarium.NoTransactionException
import io.angarium.Outbox
import io.angarium.TypedPayloads
import io.angarium.testservers.RequiresServer
import io.angarium.testservers.Server
import io.angarium.testservers.SharedServers
import java.time.Duration
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import org.apache.kafka.clients.consumer.KafkaConsumer
import org.apache.kafka.common.TopicPartition
import org.apache.kafka.common.serialization.ByteArrayDeserializer
import org.apache.kafka.common.serialization.StringDeserializer
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatThrownBy
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestInstance
import org.springframework.beans.factory.getBean
import org.springframework.boot.WebApplicationType
import org.springframework.boot.builder.SpringApplicationBuilder
import org.springframework.dao.DuplicateKeyException
import org.springframework.transaction.support.TransactionTemplate

/** Data classes, null keys and coroutines in a Spring Boot application in Kotlin. */
@RequiresServer(Server.POSTGRESQL, Server.KAFKA)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KotlinTest {
    private val kafka = SharedServers.kafka().apply {
        createTopic("kotlin-orders", 1)
        createTopic("greetings", 1)
    }
    private val database = SharedServers.postgres().freshDatabase().apply {
        execute("CREATE TABLE orders (id VARCHAR(20) PRIMARY KEY, quantity INT NOT NULL)")
    }
    private val context =
        SpringApplicationBuilder(Shop::class.java)
            .web(WebApplicationType.NONE)
            .run(
                "--spring.datasource.url=${database.url()}",
                "--spring.datasource.username=${database.user()}",
                "--spring.datasource.password=${database.password()}",
                "--angarium.kafka.bootstrap-servers=${kafka.bootstrapServers()}",
                "--angarium.jdbc.schema-mode=create",
            )

    @AfterAll
    fun stop() = context.close()

    @Test
    fun `data classes are sent by their commit and read back`() {
        val orders = context.getBean<Orders>()
        val order = OrderPlaced("1", 2)

        orders.place(order)
        assertThatThrownBy { orders.place(order.copy(quantity = 3)) }
            .isInstanceOf(DuplicateKeyException::class.java)
        orders.place(OrderPlaced("2", 1, "fragile"))

        val payloads = context.getBean<TypedPayloads>()
        assertThat(arrived("kotlin-orders", 2).map { payloads.read("order-placed", it) })
            .containsExactlyInAnyOrder(order, OrderPlaced("2", 1, "fragile"))
    }

    @Test
    fun `suspending functions send within one block`() {
        runBlocking {
            context.getBean<Greetings>().greet("Ada")
            context.getBean<Greetings>().greet(null)
        }

        assertThat(arrived("greetings", 2).map { String(it) })
            .containsExactlyInAnyOrder("hello Ada", "hello null")
    }

    @Test
    fun `a transaction does not follow a coroutine to another thread`() {
        val outbox = context.getBean<Outbox>()
        val message = Message.of("kafka:greetings", "lost".toByteArray())

        assertThatThrownBy {
            context.getBean<TransactionTemplate>().executeWithoutResult {
                runBlocking { withContext(Dispatchers.IO) { outbox.send(message) } }
            }
        }.isInstanceOf(NoTransactionException::class.java)
    }

    /** The distinct payloads of a topic, once there are enough. */
    private fun arrived(topic: String, messages: Int): List<ByteArray> {
        val deadline = System.nanoTime() + Duration.ofMinutes(1).toNanos()
        val found = mutableMapOf<String, ByteArray>()
        val partition = TopicPartition(topic, 0)
        KafkaConsumer(
            mapOf<String, Any>("bootstrap.servers" to kafka.bootstrapServers()),
            StringDeserializer(),
            ByteArrayDeserializer(),
        ).use { consumer ->
            consumer.assign(listOf(partition))
            consumer.seekToBeginning(listOf(partition))
            while (found.size < messages) {
                check(System.nanoTime() < deadline) { "${found.size} of $messages in $topic" }
                consumer.poll(Duration.ofMillis(100)).forEach {
                    found[String(it.headers().lastHeader("angarium-id").value())] = it.value()
                }
            }
        }
        return found.values.toList()
    }
}
