package io.angarium.recipes.tenants;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.persistence.autoconfigure.EntityScan;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** An application whose schema is switched by Hibernate. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@EntityScan(basePackageClasses = JpaOrder.class)
@Import({TenantConnections.class, JpaOrders.class})
class JpaShop {
  static final String TOPIC = "jpa-tenant-orders";
}
