package io.angarium.recipes.kotlin

import io.angarium.TypeNames
import io.angarium.TypedOutbox
import org.springframework.context.annotation.Bean
import org.springframework.context.annotation.Configuration
import org.springframework.jdbc.core.JdbcTemplate
import org.springframework.stereotype.Service
import org.springframework.transaction.annotation.Transactional

data class OrderPlaced(val id: String, val quantity: Int, val note: String? = null)

@Configuration(proxyBeanMethods = false)
class MessageTypes {
    @Bean
    fun typeNames(): TypeNames =
        TypeNames.builder().type("order-placed", OrderPlaced::class.java).build()
}

@Service
class Orders(private val jdbc: JdbcTemplate, private val outbox: TypedOutbox) {
    @Transactional
    fun place(order: OrderPlaced) {
        jdbc.update("INSERT INTO orders (id, quantity) VALUES (?, ?)", order.id, order.quantity)
        outbox.send("kafka:kotlin-orders", order.id, order)
    }
}
