package io.angarium.recipes.tenants;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** An application that switches the schema of its connections by itself. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({TenantConfiguration.class, Orders.class})
class TenantShop {}
