package io.angarium.recipes.datasources;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Business data in two databases, each with an outbox. */
@SpringBootApplication
class Shop {}
