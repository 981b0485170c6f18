package io.angarium.recipes.threads;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.scheduling.annotation.EnableAsync;

/** An application whose asynchronous methods run in virtual threads where there are any. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@EnableAsync
@Import(Greeter.class)
class GreetingApplication {}
