package io.angarium.recipes.jooq;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** An application with Spring Boot's jOOQ. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import(JooqOrders.class)
class JooqShop {}
