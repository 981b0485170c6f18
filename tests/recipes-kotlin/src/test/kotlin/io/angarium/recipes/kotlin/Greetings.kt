package io.angarium.recipes.kotlin

import io.angarium.Message
import io.angarium.Outbox
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.withContext
import org.springframework.stereotype.Service
import org.springframework.transaction.support.TransactionTemplate

@Service
class Greetings(private val transactions: TransactionTemplate, private val outbox: Outbox) {
    suspend fun greet(guest: String?) {
        withContext(Dispatchers.IO) {
            transactions.executeWithoutResult {
                outbox.send(Message.of("kafka:greetings", "hello $guest".toByteArray()).key(guest))
            }
        }
    }
}
