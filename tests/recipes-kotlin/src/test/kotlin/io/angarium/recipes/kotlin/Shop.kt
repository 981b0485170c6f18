package io.angarium.recipes.kotlin

import org.springframework.boot.autoconfigure.SpringBootApplication

@SpringBootApplication
class Shop
